import { useRef, useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { showError } from "../state/notices.ts";
import { smallPicture } from "../state/small-picture.ts";

interface AttachFileProps {
  readonly id: string;
  /** Gets the path under which the agent finds each file. */
  readonly onAttached: (path: string) => void;
}

/** A button that takes pictures and files, of this device or its camera. */
export function AttachFile({ id, onAttached }: AttachFileProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const take = async (files: readonly File[]) => {
    setBusy(true);
    try {
      await attachFiles(id, files, onAttached);
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
      if (picker.current) picker.current.value = "";
    }
  };
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
        onChange={({ currentTarget }) => void take([...(currentTarget.files ?? [])])}
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

/** Hands files to the daemon one by one, and reports each path. */
export async function attachFiles(id: string, files: readonly File[], attached: (path: string) => void): Promise<void> {
  for (const file of files) {
    const small = await smallPicture(file);
    const { path } = await client.attachment_add({ id, name: small.name, data: await base64Of(small) });
    attached(path);
  }
}

function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:.*?,/s, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
