import type { Task } from "@paneward/sdk";
import type { Call, Command } from "../command.ts";
import { demoAgent, isDemoProject, makeDemoProject, removeDemoProject } from "../demo-project.ts";
import { mergeSummary } from "./worktree.ts";

export const demoCommands: readonly Command[] = [
  {
    name: "demo",
    operations: [
      "trust_look",
      "trust",
      "new",
      "wait",
      "questions",
      "read",
      "respond",
      "explain",
      "diff",
      "merge",
      "rm",
      "ps",
      "trust_revoke",
    ],
    summary: "a scripted agent that works, asks a question and finishes; no account needed",
    json: false,
    options: [
      ["--auto", "run the whole demo, including the answer"],
      ["--clean", "remove the demo's tasks and repositories; with --auto, afterwards"],
    ],
    examples: ["paneward demo", "paneward demo --auto --clean", "paneward demo --clean"],
    run: demo,
  },
];

async function demo(call: Call): Promise<undefined> {
  const { options } = call;
  if (options.flag("clean") && !options.flag("auto")) return clean(call);
  const root = await makeDemoProject();
  try {
    // The demo wrote this repository itself, a moment ago.
    const { digest } = await call.client.trust_look({ root });
    await call.client.trust({ root, digest });
    const task = await call.client.new({ root, text: "Greet the world in a friendly way", agent: demoAgent });
    if (options.flag("auto")) await playDemo(call, task);
    else printSteps(call, task);
  } catch (error) {
    await clean(call, root);
    throw error;
  }
  if (options.flag("clean")) await clean(call, root);
}

function printSteps({ out }: Call, { id, root, worktree }: Task): void {
  out.line(`A scripted agent is working on task ${id}, in a worktree of ${root}:`);
  out.line(`  ${worktree}`);
  out.line("It will ask a question and wait for your answer. Try these in order:");
  const steps: readonly (readonly [string, string])[] = [
    ["paneward ps", "what is running, and why it has its status"],
    [`paneward wait ${id} --for needs_input`, "wait for its question"],
    ["paneward questions", "the question and its options"],
    [`paneward read ${id}`, "what it printed"],
    [`paneward attach ${id}`, "or watch it live; C-b d detaches"],
    [`paneward respond ${id} --option 1`, "answer it"],
    [`paneward wait ${id} --for exited`, "wait until it has finished"],
    [`paneward diff ${id}`, "what it changed"],
    [`paneward merge ${id}`, "merge it into main"],
    ["paneward demo --clean", "remove the task and the repository"],
  ];
  const widest = Math.max(...steps.map(([command]) => command.length));
  for (const [command, what] of steps) out.line(`  ${command.padEnd(widest)}  ${out.paint("dim", what)}`);
}

/** Every step calls an operation and shows the command that does the same. */
async function playDemo({ client, out }: Call, task: Task): Promise<void> {
  const id = String(task.id);
  const show = (command: string) => out.line(out.paint("bold", `$ paneward ${command}`));
  const ids = [id];
  const until = async (...conditions: Parameters<typeof client.wait>[0]["for"]) => {
    const { results } = await client.wait({ ids, for: conditions, timeout: stepTimeoutSeconds });
    return results[0]?.kind === "timed_out" ? `${id} timed out` : JSON.stringify(results[0]);
  };

  show(`new "${task.text}"`);
  out.line(`${id}  ${task.slug}: ${task.status}, branch ${task.branch}`);
  show(`wait ${id} --for needs_input`);
  await until({ kind: "needs_input" }, { kind: "exited" });
  show("questions");
  const { questions } = await client.questions({});
  const question = questions.find((one) => one.task === task.id);
  out.line(question?.text ?? "no open question");
  for (const { number, label } of question?.options ?? []) out.line(`  ${number}. ${label}`);
  show(`read ${id}`);
  const firstRead = await client.read({ id });
  out.content(withLineBreak(firstRead.output));
  show(`explain ${id}`);
  const { status, why } = await client.explain({ id });
  out.line(`${status}, reported by ${why.source}: ${why.rule}`);
  show(`respond ${id} --option 1`);
  const answered = await client.respond({ id, option: 1 });
  out.line(`${answered.agent_id} is ${answered.new_state}`);
  show(`wait ${id} --for exited --json`);
  out.line(await until({ kind: "exited" }));
  show(`read ${id} --since ${firstRead.cursor}`);
  out.content(withLineBreak((await client.read({ id, since: firstRead.cursor })).output));
  show(`diff ${id} --stat`);
  out.content(withLineBreak((await client.diff({ id, stat: "true" })).diff));
  show(`merge ${id}`);
  out.line(mergeSummary(await client.merge({ id })));
}

const stepTimeoutSeconds = 60;

function withLineBreak(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** Removes the tasks of one demo or of all, and their repositories. */
async function clean({ client, out }: Call, only?: string): Promise<undefined> {
  const { tasks } = await client.ps({ all: "true" });
  const ours = tasks.filter(({ root }) => (only === undefined ? isDemoProject(root) : root === only));
  for (const { id } of ours) await client.rm({ id: String(id) });
  for (const root of new Set([...ours.map((task) => task.root), ...(only === undefined ? [] : [only])])) {
    // Not there if the demo failed before it was trusted.
    await client.trust_revoke({ root }).catch(() => {});
    await removeDemoProject(root);
    out.note(`removed ${root}`);
  }
  if (ours.length === 0 && only === undefined) out.note("no demo to clean up");
}
