import type { Output } from "@paneward/sdk";
import type { TerminalRecord } from "../../model/records.ts";
import { resolve } from "../resolve.ts";
import type { Runtime } from "../world.ts";
import { judgeTask, judgeTerminal } from "./views.ts";

/** Why something has its status: the verdict, and what every witness says. */
export function explain(rt: Runtime, id: string): Output<"explain"> {
  const found = resolve(rt, id);
  const terminal =
    found.kind === "terminal"
      ? found.terminal
      : found.task.terminal === undefined
        ? undefined
        : rt.store.terminal(found.task.terminal);
  const isTask = found.kind === "task";
  const { status, why } = isTask ? judgeTask(rt, found.task) : judgeTerminal(rt, found.terminal);
  const witnesses = terminal ? witnessesOf(rt, terminal, why.source) : [];
  const [own, name] = isTask ? [String(found.task.id), found.task.slug] : [found.terminal.id, found.terminal.name];
  return { id: own, name, status, why, witnesses };
}

function witnessesOf(rt: Runtime, terminal: TerminalRecord, source: string): Output<"explain">["witnesses"] {
  const { end, endedAt, startedAt, createdAt } = terminal;
  if (end) {
    const used = source === "exit" || source === "person" || source === "tmux";
    return [{ witness: "exit", says: judgeTerminal(rt, terminal).why.rule, at: endedAt ?? createdAt, used }];
  }
  const runs = terminal.place && {
    witness: "tmux",
    says: `pane ${terminal.place.pane}, process ${terminal.place.pid} runs`,
    at: startedAt ?? createdAt,
    used: source === "tmux",
  };
  const heard = rt.attention.witnesses(terminal.id).map(({ witness, says, rule, at, used, because }) => {
    return { witness, says: `${says}: ${rule}`, at, used, because };
  });
  return [...(runs ? [runs] : []), ...heard];
}
