import { useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { showError } from "../state/notices.ts";
import { smallPicture } from "../state/small-picture.ts";
import { PickFiles } from "./PickFiles.tsx";

interface AttachFileProps {
  readonly id: string;
  /** Gets the path under which the agent finds each file. */
  readonly onAttached: (path: string) => void;
}

/** Hands what is picked to the daemon at once. */
export function AttachFile({ id, onAttached }: AttachFileProps) {
  const [busy, setBusy] = useState(false);
  const take = async (files: readonly File[]) => {
    setBusy(true);
    try {
      await attachFiles(id, files, onAttached);
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return <PickFiles busy={busy} onPicked={(files) => void take(files)} />;
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
