import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { showError, showMessage } from "../state/notices.ts";

export interface ActProps {
  readonly children: ComponentChildren;
  /** The action; if it returns a text, that is shown. */
  readonly act: () => Promise<unknown>;
  readonly done?: string;
  readonly confirm?: string;
  readonly kind?: "plain" | "main" | "good" | "bad";
  readonly title?: string;
  readonly disabled?: boolean;
}

/** A button for an action of the daemon: further clicks while it runs are ignored. */
export function Act({ children, act, done, confirm, kind = "plain", title, disabled = false }: ActProps) {
  const [busy, setBusy] = useState(false);
  // The state is drawn a moment after the first click; a second click may come before that.
  const isRunning = useRef(false);
  const press = async () => {
    if (isRunning.current || (confirm !== undefined && !window.confirm(confirm))) return;
    isRunning.current = true;
    setBusy(true);
    try {
      await act();
      if (done !== undefined) showMessage(done);
    } catch (error) {
      showError(error);
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
