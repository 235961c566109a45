import type { Output } from "@paneward/sdk";
import type { TerminalRecord } from "../../model/records.ts";
import { type Judging, judgeTask, judgeTerminal } from "../attention/judge-status.ts";
import { receipt } from "../courier/receipts.ts";
import { resolve } from "../resolve.ts";
import { restorable } from "../tasks/restore.ts";
import { withRestore } from "./lost-words.ts";

/** Why something has its status: the verdict, and what every witness says. */
export function explain(deps: Judging, id: string): Output<"explain"> {
  const found = resolve(deps, id);
  const terminal =
    found.kind === "terminal"
      ? found.terminal
      : found.task.terminal === undefined
        ? undefined
        : deps.store.terminal(found.task.terminal);
  const isTask = found.kind === "task";
  const judged = isTask ? judgeTask(deps, found.task) : judgeTerminal(deps, found.terminal);
  const restore = terminal && restorable(deps, terminal);
  const { status, why } = withRestore(judged, restore);
  const witnesses = terminal ? witnessesOf(deps, terminal, why.source) : [];
  const [own, name] = isTask ? [String(found.task.id), found.task.slug] : [found.terminal.id, found.terminal.name];
  // By which way its agent gets what is sent is worth a look only where there are two.
  const last = terminal && deps.store.deliveries(terminal.id, 20).find(({ way }) => way !== undefined);
  const more = {
    ...(last === undefined ? {} : { delivery: receipt(last) }),
    ...(restore === undefined ? {} : { restore }),
    ...(terminal?.keepRunning ? { keepRunning: true } : {}),
  };
  return { id: own, name, status, why, witnesses, ...more };
}

function witnessesOf(deps: Judging, terminal: TerminalRecord, source: string): Output<"explain">["witnesses"] {
  const { end, endedAt, startedAt, createdAt } = terminal;
  if (end) {
    const used = source === "exit" || source === "person" || source === "tmux";
    return [{ witness: "exit", says: judgeTerminal(deps, terminal).why.rule, at: endedAt ?? createdAt, used }];
  }
  const runs = terminal.place && {
    witness: "tmux",
    says: `pane ${terminal.place.pane}, process ${terminal.place.pid} runs`,
    at: startedAt ?? createdAt,
    used: source === "tmux",
  };
  const weighed = deps.attention
    .witnesses(terminal.id)
    .map(({ witness, says, rule, at, used, because, unverified }) => {
      return { witness, says: `${says}: ${rule}${unverified ? " (unverified)" : ""}`, at, used, because };
    });
  return [...(runs ? [runs] : []), ...weighed];
}
