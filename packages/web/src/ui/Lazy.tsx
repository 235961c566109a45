import { type ComponentType, h } from "preact";
import { useEffect, useState } from "preact/hooks";
import { view } from "../state/live.ts";
import { useValue } from "../state/value.ts";

/** A component whose code is loaded when it is first shown; retried when the daemon is back. */
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
        // The badge shows that the daemon is unreachable; this is loaded when it is back.
        () => {},
      );
    }, [connection, part]);
    return part ? h(part, props) : <p class="quiet">Loading…</p>;
  };
}
