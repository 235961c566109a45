import { useEffect, useRef } from "preact/hooks";
import type { Shortcut } from "./keys.ts";

export function Help({ list, onClose }: { readonly list: readonly Shortcut[]; readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="help">
      <h2 id="help">Keys</h2>
      <dl>
        {list.map(({ key, what }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="act">
          Close
        </button>
      </form>
    </dialog>
  );
}
