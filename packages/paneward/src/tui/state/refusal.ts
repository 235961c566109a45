import { allows, type OperationName, routes } from "@paneward/sdk";
import type { Row } from "@paneward/sdk/view";
import type { Action } from "./keys.ts";
import { isAlive, type Reach, type State } from "./state.ts";

/** Why an action of the list cannot be done now; undefined if it can, as far as one sees from here. */
export function refusalOf({ reach }: Pick<State, "reach">, row: Row | undefined, action: Action): string | undefined {
  return beyondReach(reach, row, action) ?? (onRow.has(action) ? notWith(row, action) : undefined);
}

/** What the daemon is asked for; the scope that this needs stands in its table. */
const asks: Partial<Record<Action, OperationName>> = {
  answer: "respond",
  attach: "attach",
  start: "start",
  send: "send",
  stop: "stop",
  restart: "restart",
  merge: "merge",
  complete: "complete",
  remove: "rm",
  undo: "undo",
  new: "new",
  "new-and-start": "new",
};

function beyondReach({ scope, isHere, address }: Reach, row: Row | undefined, action: Action): string | undefined {
  const operation = asks[action];
  const needed = operation && routes[operation].scope;
  if (needed && scope && !allows(scope, needed)) {
    return `your token has the scope ${scope}, and this needs ${needed}: \`paneward token create --scope ${needed}\``;
  }
  if (isHere || !onThisMachine.has(action)) return undefined;
  if (action === "new" || action === "new-and-start") {
    return row && row.kind === "task" ? undefined : "first select a task of the project that the new one is for";
  }
  const command = row && action === "attach" ? `: there, \`paneward attach ${row.id}\` shows it` : "";
  return `the daemon at ${address} runs on another machine${command}`;
}

/** Programs that get this terminal, and what begins with the folder that one is in. */
const onThisMachine: ReadonlySet<Action> = new Set<Action>(["attach", "shell", "edit", "new", "new-and-start"]);

const onRow: ReadonlySet<Action> = new Set<Action>([
  ...["answer", "attach", "start", "send", "journal", "diff", "stop", "restart"],
  ...["merge", "complete", "remove", "shell", "edit"],
] as readonly Action[]);

function notWith(row: Row | undefined, action: Action): string | undefined {
  if (!row) return "nothing is selected";
  const reason = reasonAgainst(row, action);
  return reason && `${row.id} ${row.name}: ${reason}`;
}

function reasonAgainst(row: Row, action: Action): string | undefined {
  if (action === "answer") return row.question ? undefined : "no question is open";
  if (tasksOnly.has(action)) return row.kind === "task" ? undefined : "only a task has that";
  if (action === "send" && !isAlive(row)) return "it does not run";
  if (action === "journal" && row.terminal === undefined) return "it has not printed anything yet";
  return row.adopted ? reasonAgainstForeign(row, action) : undefined;
}

function reasonAgainstForeign(row: Row, action: Action): string | undefined {
  const manages = action === "stop" || action === "restart" || (action === "remove" && isAlive(row));
  if (manages) return "it belongs to your own tmux, and is only read and answered";
  if (isAlive(row)) return undefined;
  if (action === "attach") return "it has ended in your own tmux";
  return action === "journal" ? "what it showed in your own tmux was not kept" : undefined;
}

const tasksOnly: ReadonlySet<Action> = new Set<Action>(["diff", "shell", "edit", "start", "merge", "complete"]);
