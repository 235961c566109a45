import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** The output of a real program, and the final screen in tmux. */
export interface Recording {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Rows from the top, without trailing spaces. */
  readonly screen: readonly string[];
}

/** All recordings were made on a screen of this size. */
export const recordedSize = { columns: 100, rows: 30 };

export const recordingsFolder = new URL("../recordings/", import.meta.url).pathname;

export function recordings(): readonly Recording[] {
  const names = readdirSync(recordingsFolder).flatMap((file) => (file.endsWith(".gz") ? [file.slice(0, -3)] : []));
  return names.map((name) => ({
    name,
    bytes: gunzipSync(readFileSync(`${recordingsFolder}${name}.gz`)),
    screen: readFileSync(`${recordingsFolder}${name}.txt`, "utf8").split("\n"),
  }));
}
