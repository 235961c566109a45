import { allows, type OperationName, routes } from "@paneward/sdk";
import type { Row } from "@paneward/sdk/view";
import type { Action } from "./keys.ts";
import { type Access, isAlive, type State } from "./state.ts";

/** Why an action of the list is refused; undefined if it is allowed, as far as the interface knows. */
export function refusalOf({ access }: Pick<State, "access">, row: Row | undefined, action: Action): string | undefined {
  return accessRefusal(access, row, action) ?? (rowActions.has(action) ? rowRefusal(row, action) : undefined);
}

/** The operation behind each action; `routes` has the scope it needs. */
const operationOf: Partial<Record<Action, OperationName>> = {
  answer: "respond",
  attach: "attach",
  start: "start",
  send: "send",
  command: "send",
  stop: "stop",
  restart: "restart",
  merge: "merge",
  complete: "complete",
  remove: "rm",
  undo: "undo",
  new: "new",
  "new-and-start": "new",
};

function accessRefusal({ scope, isHere, address }: Access, row: Row | undefined, action: Action): string | undefined {
  const operation = operationOf[action];
  const needed = operation && routes[operation].scope;
  if (needed && scope && !allows(scope, needed)) {
    return `your token has the scope ${scope}, but this needs ${needed}: \`paneward token create --scope ${needed}\``;
  }
  if (isHere || !localActions.has(action)) return undefined;
  if (action === "new" || action === "new-and-start") {
    return row && row.kind === "task" ? undefined : "first select a task of the project for the new task";
  }
  const command = row && action === "attach" ? `: run \`paneward attach ${row.id}\` there` : "";
  return `the daemon at ${address} runs on another machine${command}`;
}

/** Programs on this terminal, and actions that use the current folder. */
const localActions: ReadonlySet<Action> = new Set<Action>(["attach", "shell", "edit", "new", "new-and-start"]);

const rowActions: ReadonlySet<Action> = new Set<Action>([
  ...["answer", "attach", "start", "send", "command", "journal", "diff", "stop", "restart"],
  ...["merge", "complete", "remove", "shell", "edit"],
] as readonly Action[]);

function rowRefusal(row: Row | undefined, action: Action): string | undefined {
  if (!row) return "nothing is selected";
  const reason = reasonAgainst(row, action);
  return reason && `${row.id} ${row.name}: ${reason}`;
}

function reasonAgainst(row: Row, action: Action): string | undefined {
  if (action === "answer") return row.question ? undefined : "no question is open";
  if (tasksOnly.has(action)) return row.kind === "task" ? undefined : "this works on tasks only";
  if ((action === "send" || action === "command") && !isAlive(row)) return "it is not running";
  if (action === "journal" && row.terminal === undefined) return "it has not printed anything yet";
  return row.adopted ? reasonAgainstForeign(row, action) : undefined;
}

function reasonAgainstForeign(row: Row, action: Action): string | undefined {
  const manages = action === "stop" || action === "restart" || (action === "remove" && isAlive(row));
  if (manages) return "it belongs to your own tmux and can only be read and answered";
  if (isAlive(row)) return undefined;
  if (action === "attach") return "it has ended in your own tmux";
  return action === "journal" ? "its output in your own tmux was not kept" : undefined;
}

const tasksOnly: ReadonlySet<Action> = new Set<Action>(["diff", "shell", "edit", "start", "merge", "complete"]);
