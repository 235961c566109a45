import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { type Client, PanewardError } from "@paneward/sdk";
import { readForeign } from "@paneward/sdk/node/files";

// What the daemon takes; a larger file need not be read.
const maxBytes = 8 * 1_048_576;

/** Hands files to the daemon, which keeps copies for the agent. Returns their paths. */
export async function attach(
  client: Pick<Client, "attachment_add">,
  id: string,
  files: readonly string[],
): Promise<readonly string[]> {
  const contents: { readonly name: string; readonly data: string }[] = [];
  // All are read before the first is sent: a mistake in the last leaves nothing behind.
  for (const file of files) contents.push({ name: basename(resolve(file)), data: await readAll(file) });
  const paths: string[] = [];
  for (const content of contents) paths.push((await client.attachment_add({ id, ...content })).path);
  return paths;
}

async function readAll(file: string): Promise<string> {
  const { size } = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    throw new PanewardError("not_found", `cannot read ${file}: ${cause.message}`, { hint: "check the path", cause });
  });
  if (size > maxBytes) {
    throw new PanewardError("too_large", `${file} has more than 8 MB`, {
      hint: "attach a part of it, or name its path",
    });
  }
  const bytes = await readForeign(file, { maxBytes, followLinks: true });
  if (!bytes || bytes.length === 0) {
    throw new PanewardError("bad_input", `${file} is not a file with content`, {
      hint: "attach PNG, JPEG, PDF or text",
    });
  }
  return bytes.toString("base64");
}
