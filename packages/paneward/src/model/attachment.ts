/** What an attached file may be: what agents read. */
export type AttachmentType = "png" | "jpg" | "gif" | "webp" | "pdf" | "text";

export const maxAttachmentBytes = 8 * 1_048_576;
export const maxAttachments = 20;
export const maxAttachedBytes = 40 * 1_048_576;

/** By its content, as names lie; undefined for everything else. */
export function attachmentType(bytes: Uint8Array): AttachmentType | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (head.startsWith("\xff\xd8\xff")) return "jpg";
  if (/^GIF8[79]a/.test(head)) return "gif";
  if (/^RIFF....WEBP/s.test(head)) return "webp";
  if (head.startsWith("%PDF-")) return "pdf";
  return isText(bytes) ? "text" : undefined;
}

function isText(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return bytes.length > 0 && !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text);
  } catch {
    return false;
  }
}

/**
 * A name that is safe in a folder, in a shell and in a prompt: numbered, so that it is new; without blanks, and with the ending
 * of what the file is.
 */
export function attachmentName(given: string, type: AttachmentType, taken: readonly string[]): string {
  const [, stem = "", ending = ""] = /^(.*?)(?:\.([A-Za-z0-9]{1,10}))?$/s.exec(given.split(/[/\\]/).at(-1) ?? "") ?? [];
  const safe = stem
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .slice(0, 60)
    .replace(/^[-.]+|[-.]+$/g, "");
  const number = Math.max(0, ...taken.map((name) => Number(/^(\d+)-/.exec(name)?.[1] ?? 0))) + 1;
  return `${number}-${safe === "" ? "file" : safe}.${type === "text" ? textEnding(ending) : type}`;
}

const binary = /^(png|jpe?g|gif|webp|pdf|heic|zip|gz|exe)$/i;

function textEnding(given: string): string {
  return given === "" || binary.test(given) ? "txt" : given;
}
