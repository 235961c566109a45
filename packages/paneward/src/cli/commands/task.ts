import { PanewardError } from "@paneward/sdk";
import { ageOf } from "@paneward/sdk/text";
import type { Call, Command } from "../command.ts";
import { noteEmptySubmodules } from "../empty-submodules.ts";
import { forEachId } from "../for-each-id.ts";
import { given } from "../options.ts";
import { idsOrOwnTask } from "../own-task.ts";
import { confirm } from "../prompt.ts";
import { withTaskProgress } from "../task-progress.ts";

export const taskCommands: readonly Command[] = [
  {
    name: "complete",
    operations: ["complete"],
    summary: "mark tasks as completed; everything is kept",
    takes: "[id...]",
    completes: "tasks",
    examples: ["paneward complete 12", "paneward complete    # inside a task: this one"],
    run: complete,
  },
  {
    name: "reset",
    operations: ["reset"],
    summary: "stop, keep unmerged work for undo, start over from the base",
    takes: "<id...>",
    completes: "tasks",
    options: [["-y, --yes", "do not ask for confirmation"]],
    examples: ["paneward reset 12", "paneward reset 12 13 --yes"],
    run: reset,
  },
  {
    name: "rm",
    operations: ["rm"],
    summary: "remove tasks or terminals; unmerged work is kept for undo",
    details: "Stops a running program first. The journal of a removed terminal is deleted a day later.",
    takes: "<id...>",
    completes: "ids",
    options: [["-y, --yes", "do not ask for confirmation"]],
    examples: ["paneward rm 12", "paneward rm t3 t4 --yes"],
    run: remove,
  },
  {
    name: "undo",
    operations: ["undo", "undo_look"],
    summary: "undo the last rm or reset",
    details:
      "Says which one. Without an id, the last one. Only tasks can be restored, not terminals. If the task's program runs, it would be ended: a terminal asks, without one `--yes` is required.",
    takes: "[id]",
    options: [["-y, --yes", "end a program that runs, without asking"]],
    examples: ["paneward undo", "paneward undo 12"],
    run: undo,
  },
];

async function complete(call: Call): Promise<number> {
  const { client, options, out } = call;
  return forEachId(idsOrOwnTask(call), async (id) => {
    const task = await client.complete({ id });
    if (options.flag("json")) out.json(task);
    else out.line(`${task.id} ${task.slug}: ${task.status}`);
  });
}

async function reset(call: Call): Promise<number> {
  const { client, options, out, args } = call;
  if (!(await confirm(call, `Reset ${args.join(", ")} to the base? Unmerged work of a task is kept for undo.`)))
    return 1;
  return forEachId(call, async (id) => {
    const answer = await withTaskProgress(call, id, () => client.reset({ id }));
    if (options.flag("json")) return void out.json(answer);
    out.line(`${answer.task.id} ${answer.task.slug}: ${answer.task.status}${rescueNote(answer.rescue)}`);
    noteEmptySubmodules(out, answer.task);
  });
}

async function remove(call: Call): Promise<number> {
  const { client, options, out, args } = call;
  if (!(await confirm(call, `Remove ${args.join(", ")}? Unmerged work of a task is kept for undo.`))) return 1;
  return forEachId(call, async (id) => {
    call.progress.say(`removing ${id}`);
    const answer = await client.rm({ id });
    if (options.flag("json")) out.json(answer);
    else out.line(`${answer.removed} removed${rescueNote(answer.rescue)}`);
  });
}

async function undo(call: Call): Promise<number | undefined> {
  const { client, args, options, out } = call;
  const [text] = args;
  if (text !== undefined && !/^\d+$/.test(text))
    throw new PanewardError("bad_input", `undo needs a task number, got "${text}"`);
  const { undone, task: id, slug, at, running } = await client.undo_look(given({ id: text }));
  const what = `the ${undone} of task ${id} ${slug}, ${ageOf(at, Date.now())} ago`;
  if (running && !(await confirm(call, `Undo ${what}? This ends its program, which runs.`))) return 1;
  if (!running) out.note(`undoing ${what}`);
  call.progress.say(`undoing ${what}`);
  const answer = await withTaskProgress(call, String(id), () => client.undo({ id, end_program: running }));
  if (options.flag("json")) return void out.json(answer);
  out.line(`${answer.undone}: task ${answer.task.id} ${answer.task.slug} is back (${answer.task.status})`);
  noteEmptySubmodules(out, answer.task);
}

function rescueNote(rescue: string | undefined): string {
  return rescue === undefined ? "" : `; its work is kept under ${rescue}, \`paneward undo\` restores it`;
}
