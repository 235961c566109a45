import { dismiss, notices } from "../state/notices.ts";
import { useValue } from "../state/value.ts";
import { Sentence } from "./Sentence.tsx";

export function Notices() {
  const shown = useValue(notices);
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown.map(({ id, kind, text, hint }) => (
        <div key={id} class={`notice ${kind}`}>
          <div>
            <strong>
              <Sentence text={text} />
            </strong>
            {hint !== "" && (
              <p>
                <Sentence text={hint} />
              </p>
            )}
          </div>
          <button type="button" class="close" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
