import { createContext, Script } from "node:vm";
import { PanewardError } from "@paneward/sdk";

/** A regular expression that somebody sent. */
export function patternFrom(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (cause) {
    const message = `${source} is not a regular expression: ${(cause as Error).message}`;
    throw new PanewardError("bad_input", message, { cause });
  }
}

/**
 * Searches with patterns that somebody sent. `(a+)+b` needs longer than anybody lives for forty letters, and the whole
 * daemon would wait with it: a search that has used up its time is refused.
 */
export function searchInTime<Found>(search: () => Found): Found {
  for (let limitMs = maxMs; ; limitMs *= 2) {
    const before = process.threadCpuUsage();
    try {
      room.search = search;
      return call.runInContext(room, { timeout: limitMs }) as Found;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      // On a busy machine the time may be over before the search had its share of it.
      const { user, system } = process.threadCpuUsage(before);
      if (user + system > (maxMs * 1_000) / 2) throw tooSlow();
    }
  }
}

const maxMs = 500;
const room = createContext({});
const call = new Script("search()");

function tooSlow(): PanewardError {
  return new PanewardError("bad_input", "the pattern tries too many ways to match and was given up", {
    hint: "write it without a repetition inside of a repetition: not (a+)+b but a+b",
  });
}
