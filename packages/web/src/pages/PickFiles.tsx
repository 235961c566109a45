import { useRef } from "preact/hooks";

interface PickFilesProps {
  readonly busy: boolean;
  readonly onPicked: (files: readonly File[]) => void;
}

/** A button that takes pictures and files, of this device or its camera. */
export function PickFiles({ busy, onPicked }: PickFilesProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        class="picker"
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Files to attach"
        accept="image/png,image/jpeg,image/gif,image/webp,application/pdf,text/*,.md,.log,.json,.patch"
        onChange={({ currentTarget }) => {
          onPicked([...(currentTarget.files ?? [])]);
          // The same file may be taken again.
          currentTarget.value = "";
        }}
      />
      <button
        type="button"
        class="act attach"
        disabled={busy}
        aria-busy={busy}
        title="Attach a picture or a file"
        onClick={() => picker.current?.click()}
      >
        {busy ? "Attaching…" : "Attach"}
      </button>
    </>
  );
}
