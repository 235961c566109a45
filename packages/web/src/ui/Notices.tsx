import { dismiss, notices } from "../state/notices.ts";
import { useValue } from "../state/value.ts";

export function Notices() {
  const shown = useValue(notices);
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown.map(({ id, kind, text, hint }) => (
        <div key={id} class={`notice ${kind}`}>
          <div>
            <strong>{text}</strong>
            {hint !== "" && <p>{hint}</p>}
          </div>
          <button type="button" class="close" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
