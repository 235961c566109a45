import type { Failure } from "../failure.ts";

/**
 * Why a daemon did not start, out of what its process printed: the failure that it reported, else the error that ended it.
 * What lies between are lines of its log.
 */
export function startupFailure(printed: string): Pick<Failure, "message" | "hint"> | undefined {
  const lines = printed.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  const at = lines.findLastIndex((line) => line.startsWith(reported));
  if (at < 0) {
    const error = lines.findLast((line) => /^[A-Z]\w*Error\b/.test(line));
    return error === undefined ? undefined : { message: error, hint: undefined };
  }
  const hintAt = lines.findIndex((line, place) => place > at && line.startsWith(advised));
  const message = lines.slice(at, hintAt < 0 ? undefined : hintAt).join("\n");
  return { message: message.slice(reported.length), hint: lines[hintAt]?.slice(advised.length) };
}

const reported = "paneward: ";
const advised = "hint: ";
