import { bytesOf, hashOf, removeFolders, tidyBeside, writeBytes } from "./files.ts";
import type { Back, MadeFile } from "./step.ts";

/** What becomes of a file: decided from what is in it now. */
export type FileBack =
  | { readonly kind: "restored"; readonly bytes: Buffer | undefined }
  | { readonly kind: "removed our part"; readonly bytes: Buffer | undefined }
  | { readonly kind: "gone" }
  | { readonly kind: "left" };

/** Whether any of ours is in a text, and the text without it if that is certain. */
export interface OurPart {
  readonly isIn: (text: string) => boolean;
  readonly without?: (text: string) => string | undefined;
}

/** A file that nobody changed since gets back the bytes that it had; in another one, only our part is touched. */
export function decideBack(file: MadeFile, now: Buffer | undefined, ours: OurPart): FileBack {
  const before = file.before === null ? undefined : Buffer.from(file.before, "base64");
  const hash = hashOf(now);
  if (hash === file.hashAfter) return { kind: "restored", bytes: before };
  if (now === undefined || hash === file.hashBefore) return { kind: "gone" };
  const text = now.toString("latin1");
  if (!ours.isIn(text)) return { kind: "gone" };
  const rest = withoutExactly(text, file.added) ?? ours.without?.(text);
  if (rest === undefined) return { kind: "left" };
  if (rest === "" && before === undefined) return { kind: "removed our part", bytes: undefined };
  // The last line may have got its end from us.
  const isBefore = before !== undefined && rest === `${before.toString("latin1")}\n`;
  return { kind: "removed our part", bytes: isBefore ? before : Buffer.from(rest, "latin1") };
}

/** `byHand` says what a person would do. */
export async function fileBack(file: MadeFile, ours: OurPart, byHand: string): Promise<Back> {
  const { path } = file;
  const back = decideBack(file, await bytesOf(path), ours);
  const write = (bytes: Buffer | undefined) => async () => {
    await writeBytes(path, bytes);
    await tidyBeside(path);
    if (bytes === undefined) await removeFolders(file.folders);
  };
  switch (back.kind) {
    case "restored": {
      const says = back.bytes === undefined ? `${path}: removed, there was none before` : `${path}: as it was before`;
      return { kind: back.kind, says, perform: write(back.bytes) };
    }
    case "removed our part":
      return {
        kind: back.kind,
        says: `${path}: has changed since; only our part is removed`,
        perform: write(back.bytes),
      };
    case "gone":
      return {
        kind: back.kind,
        says: `${path}: nothing of ours is in it any more`,
        perform: async () => {
          await tidyBeside(path);
          await removeFolders(file.folders);
        },
      };
    case "left":
      return { kind: back.kind, says: `${path}: has changed since; ${byHand}`, perform: async () => {} };
  }
}

/** Undefined unless exactly this is in it, once. */
function withoutExactly(text: string, added: string | undefined): string | undefined {
  if (added === undefined || added === "") return undefined;
  const at = text.indexOf(added);
  if (at < 0 || text.includes(added, at + 1)) return undefined;
  const after = text.slice(at + added.length);
  // The end that the line before got: it is needed where something follows by now.
  return text.slice(0, at) + (after !== "" && added.startsWith("\n") ? "\n" : "") + after;
}
