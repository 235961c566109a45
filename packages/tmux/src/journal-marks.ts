import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path/posix";
import { type ExitMark, findExitMark, type IsSecret, secretLength, startOfPartialMark } from "./protocol/wrapper.ts";
import type { Files } from "./transport/files.ts";

/** A folder of output in which programs mark their exits. */
export interface Marked {
  readonly folder: string;
  readonly files: Files;
  /**
   * Hashes of the secrets in its programs' exit marks. The secrets themselves are stored nowhere: a program could read
   * its own.
   */
  readonly markHashes: Set<string>;
}

export const marksFile = "marks";
const maxMarksBytes = 1_048_576;

export async function markHashesIn(files: Files, folder: string): Promise<Set<string>> {
  const hashes = (await files.read(join(folder, marksFile), 0, maxMarksBytes)).toString();
  return new Set(hashes.split("\n").filter(Boolean));
}

/** A secret for the exit mark of one program, in a file for its wrapper. Returns the file. */
export async function newMarkSecret(journal: Marked): Promise<string> {
  const secret = randomBytes(secretLength / 2).toString("hex");
  const path = join(journal.folder, "wrapper.key");
  const hash = hashOf(secret);
  await Promise.all([
    journal.files.append(join(journal.folder, marksFile), `${hash}\n`),
    journal.files.write(path, secret),
  ]);
  journal.markHashes.add(hash);
  return path;
}

/** Whether a secret in a mark is one of this journal's. */
export function isSecretOf({ markHashes }: Marked): IsSecret {
  return (secret) => markHashes.has(hashOf(secret));
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** The last exit mark in a text. */
export function lastMarkIn(latin1: string, isSecret: IsSecret): ExitMark | undefined {
  let last: ExitMark | undefined;
  for (let mark = findExitMark(latin1, isSecret); mark; mark = findExitMark(latin1, isSecret, mark.end)) last = mark;
  return last;
}

/** Strips our exit marks. An incomplete mark at the end is left for the next read. */
export function withoutMarks(bytes: Buffer, isSecret: IsSecret): { readonly bytes: Buffer; readonly consumed: number } {
  if (!bytes.includes(27)) return { bytes, consumed: bytes.length };
  const text = bytes.toString("latin1");
  const end = startOfPartialMark(text, isSecret);
  const pieces: Buffer[] = [];
  let at = 0;
  for (
    let mark = findExitMark(text, isSecret);
    mark && mark.end <= end;
    mark = findExitMark(text, isSecret, mark.end)
  ) {
    pieces.push(bytes.subarray(at, mark.start));
    at = mark.end;
  }
  pieces.push(bytes.subarray(at, end));
  return { bytes: Buffer.concat(pieces), consumed: end };
}
