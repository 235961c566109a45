import { type ErrorCode, errorTable } from "@paneward/sdk";
import type { FuzzCase } from "./fuzz-cases.ts";
import type { WireAnswer } from "./wires.ts";

/** Failures of what is outside of the daemon; the operations that may answer so say it in their row. */
const outside: readonly ErrorCode[] = ["unavailable", "outcome_unknown"];

/** The MCP library calls parameters that are not of its protocol an internal error, and lists what is wrong with them. */
const refusedByLibrary = /"code":-32603,"message":"\[\\n/;

/** The older contract of `respond` has 502 for a program that has ended (docs/answering.md). */
const hasEnded = /"error_type":"send_failed".*"code":"wrong_state"/;

/** JSON with half of a surrogate pair, which many readers refuse as a whole. */
const halfOfPair = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/;

/** Why an answer is not one that an input alone may cause; undefined if it is. */
export function faultIn({ door }: FuzzCase, { status, text }: WireAnswer): string | undefined {
  if (/"code":"unexpected"|INTERNAL_ERROR/.test(text) || (/"code":-32603/.test(text) && !refusedByLibrary.test(text)))
    return `an unexpected failure: ${text.slice(0, 500)}`;
  if (halfOfPair.test(text)) return `half of a surrogate pair: ${halfOfPair.exec(text)?.[0]}`;
  if (door.startsWith("raw") || door === "websocket") return status >= 500 ? `status ${status}` : undefined;
  if (status < 500 || (status === 502 && hasEnded.test(text))) return undefined;
  const [, code] = /"code":"(\w+)"/.exec(text) ?? [];
  if (outside.some((one) => one === code && errorTable[one].status >= 500)) return undefined;
  return `status ${status}: ${text.slice(0, 500)}`;
}
