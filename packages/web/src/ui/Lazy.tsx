import { type ComponentType, h } from "preact";
import { useEffect, useState } from "preact/hooks";
import { view } from "../state/live.ts";
import { useValue } from "../state/value.ts";

/** A part whose code is fetched when it is first shown; tried again when the daemon is back. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [part, setPart] = useState<ComponentType<Props> | undefined>(() => loaded);
    const connection = useValue(view, ({ connection: { kind } }) => kind);
    useEffect(() => {
      if (part) return;
      load().then(
        (found) => {
          loaded = found;
          setPart(() => found);
        },
        // The badge says that the daemon is away; its coming back loads this again.
        () => {},
      );
    }, [connection, part]);
    return part ? h(part, props) : <p class="quiet">Loading…</p>;
  };
}
