import { PanewardError } from "@paneward/sdk";

/** What these bytes say. Node would replace invalid UTF-8 by U+FFFD without a word. */
export function textOf(bytes: Uint8Array, where: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new PanewardError("bad_input", `${where} is not UTF-8; nothing was done`, { hint, cause });
  }
}

/** Words of the command line come decoded: where one has U+FFFD, Linux has the bytes. */
export function requireUtf8(argv: readonly string[]): void {
  if (!argv.some((word) => word.includes("\ufffd"))) return;
  const { readFileSync } = process.getBuiltinModule("node:fs");
  let bytes: Uint8Array;
  try {
    bytes = readFileSync("/proc/self/cmdline");
  } catch {
    return;
  }
  textOf(bytes, "the command line");
}

const hint = "`iconv -f LATIN1 -t UTF-8` makes it so, if it is Latin-1";
