import { createContext, Script } from "node:vm";
import { parentPort } from "node:worker_threads";
import { LineSearch } from "../../model/output/wait.ts";
import type { Search, Searched } from "./pattern.ts";
import { threadCpuUs } from "./thread-cpu.ts";

// Runs on a thread of its own, one search after the other: see docs/decisions/0028-patterns-on-their-own-thread.md.
parentPort?.on("message", ({ id, search }: { readonly id: number; readonly search: Search }) => {
  parentPort?.postMessage({ id, searched: searchedInTime(search) });
});

/** `(a+)+b` needs years for forty letters: a search that has used up its time is given up. */
function searchedInTime(search: Search): Searched {
  for (let limitMs = maxMs; ; limitMs *= 2) {
    const beforeUs = threadCpuUs();
    try {
      room.search = () => found(search);
      return { kind: "done", found: call.runInContext(room, { timeout: limitMs }) };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") return { kind: "failed", reason: message };
      // On a busy machine the time may be over before the search had its share of it.
      if (threadCpuUs() - beforeUs > (maxMs * 1_000) / 2) return { kind: "too_slow" };
    }
  }
}

const maxMs = 500;
const room = createContext({});
const call = new Script("search()");

function found(search: Search): unknown {
  if (search.kind === "text") return search.pattern.exec(search.text)?.[0];
  const lines = new LineSearch(search.patterns, search.rest);
  lines.write(search.text);
  return { whole: lines.found, match: lines.match, rest: lines.rest };
}
