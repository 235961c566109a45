import { PanewardError, type Places } from "@paneward/sdk";
import { privateFiles } from "../system/private-files.ts";
import type { Made } from "./step.ts";

/** What was made on this machine, kept until it is taken back; the newest last. */
export async function readRecord(places: Pick<Places, "home">): Promise<readonly Made[]> {
  const path = recordPath(places);
  const text = await privateFiles.text(path);
  if (text === undefined) return [];
  try {
    const { made } = JSON.parse(text) as { readonly made: readonly Made[] };
    if (Array.isArray(made)) return made;
  } catch (cause) {
    throw unreadable(path, cause);
  }
  throw unreadable(path);
}

export async function writeRecord(places: Pick<Places, "home">, made: readonly Made[]): Promise<void> {
  const path = recordPath(places);
  if (made.length === 0) return privateFiles.remove(path);
  // What was in the files may be private.
  await privateFiles.replacePrivate(path, `${JSON.stringify({ made }, undefined, 1)}\n`);
}

function recordPath({ home }: Pick<Places, "home">): string {
  return `${home}/init.json`;
}

function unreadable(path: string, cause?: unknown): PanewardError {
  return new PanewardError("bad_input", `${path}, which records what \`paneward init\` made, cannot be read`, {
    hint: "move the file away; what was made can then only be undone by hand: docs/init.md",
    cause,
  });
}
