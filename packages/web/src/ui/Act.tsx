import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { say, sayFailure } from "../state/notices.ts";

export interface ActProps {
  readonly children: ComponentChildren;
  /** What is done; its words, if any, are shown. */
  readonly act: () => Promise<unknown>;
  readonly done?: string;
  readonly confirm?: string;
  readonly kind?: "plain" | "main" | "good" | "bad";
  readonly title?: string;
  readonly disabled?: boolean;
}

/** A button that does something at the daemon: once, however often it is pressed meanwhile. */
export function Act({ children, act, done, confirm, kind = "plain", title, disabled = false }: ActProps) {
  const [busy, setBusy] = useState(false);
  // The state is drawn a moment after the first click; a second one may come before.
  const isRunning = useRef(false);
  const press = async () => {
    if (isRunning.current || (confirm !== undefined && !window.confirm(confirm))) return;
    isRunning.current = true;
    setBusy(true);
    try {
      await act();
      if (done !== undefined) say(done);
    } catch (error) {
      sayFailure(error);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return (
    <button
      type="button"
      class={`act ${kind}`}
      onClick={press}
      disabled={busy || disabled}
      aria-busy={busy}
      title={title}
    >
      {children}
    </button>
  );
}
