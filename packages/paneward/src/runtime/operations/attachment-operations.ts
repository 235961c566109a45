import { PanewardError } from "@paneward/sdk";
import {
  attachmentName,
  attachmentType,
  maxAttachedBytes,
  maxAttachmentBytes,
  maxAttachments,
} from "../../model/attachment.ts";
import { attachmentFolder } from "../attachment-folder.ts";
import type { Handlers } from "../calls.ts";
import type { Found } from "../resolve.ts";
import type { World } from "../world.ts";
import { type LockDeps, locked } from "./locked.ts";

/** Files for an agent to read, such as a picture from a phone. They are removed with the task or terminal. */
export function attachmentOperations(deps: LockDeps & Pick<World, "files" | "places">) {
  return {
    attachment_add: ({ id, name, data }) =>
      locked(deps, id, async (found) => {
        requireHere(deps, found);
        const bytes = Buffer.from(data, "base64");
        if (bytes.length > maxAttachmentBytes) throw tooLarge(bytes.length);
        const type = attachmentType(bytes);
        if (!type) throw unreadable;
        const folder = attachmentFolder(deps.places, found);
        const before = await deps.files.inside(folder);
        requireRoom(folder, before, bytes.length);
        const taken = before.map((one) => one.name);
        const path = `${folder}/${attachmentName(name, type, taken)}`;
        await deps.files.writeNew(deps.places.tasks, path, bytes);
        return { path, type, bytes: bytes.length };
      }),
  } satisfies Partial<Handlers>;
}

function requireHere({ store }: Pick<World, "store">, found: Found): void {
  const terminal = found.kind === "terminal" ? found.terminal : store.terminal(found.task.terminal ?? "");
  const host = terminal?.host ?? "local";
  if (host === "local") return;
  throw new PanewardError("wrong_state", `it runs on the host ${host}, which cannot read a file that is kept here`, {
    hint: "copy the file to that host, and name its path in the text",
  });
}

function requireRoom(folder: string, before: readonly { readonly bytes: number }[], bytes: number): void {
  const all = before.reduce((sum, one) => sum + one.bytes, bytes);
  if (before.length < maxAttachments && all <= maxAttachedBytes) return;
  const most = `${maxAttachments} files of together ${inMegabytes(maxAttachedBytes)}`;
  throw new PanewardError("too_large", `there is room for ${most}`, {
    hint: `remove what is no longer needed in ${folder}`,
  });
}

function tooLarge(bytes: number): PanewardError {
  const message = `the file has ${inMegabytes(bytes)}, and a file may have ${inMegabytes(maxAttachmentBytes)}`;
  return new PanewardError("too_large", message, { hint: "attach a part of it, or a smaller picture" });
}

const unreadable = new PanewardError("bad_input", "this is neither a picture, nor a PDF, nor text", {
  hint: "attach PNG, JPEG, GIF, WebP, PDF, or text in UTF-8",
});

function inMegabytes(bytes: number): string {
  return `${Math.ceil((bytes / 1_048_576) * 10) / 10} MB`;
}
