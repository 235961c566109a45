import type { Task } from "@paneward/sdk";
import type { Call, Command } from "../command.ts";
import { demoAgent, isDemoProject, makeDemoProject, removeDemoProject } from "../demo-project.ts";
import type { Out } from "../look/out.ts";
import { Options } from "../options.ts";
import { agentCommands } from "./agents.ts";
import { inspectCommands } from "./inspect.ts";
import { outputCommands } from "./output.ts";
import { sendCommands } from "./send.ts";
import { printTask } from "./start.ts";
import { waitCommands } from "./wait.ts";
import { worktreeCommands } from "./worktree.ts";

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

/** Every step runs a command as it is typed, and prints what it prints. */
async function playDemo(call: Call, task: Task): Promise<void> {
  const id = String(task.id);
  const show = (command: string) => call.out.line(call.out.paint("bold", `$ paneward ${command}`));
  const play = async (name: string, args: readonly string[] = [], options: Given = {}) => {
    show([name, ...args, ...Object.entries(options).map(flagText)].join(" "));
    await played.find((one) => one.name === name)?.run({ ...call, out, args, options: new Options(options) });
  };
  const out = endingLines(call.out);
  show(`new --no-attach "${task.text}"`);
  printTask(out, task);
  await play("wait", [id], { for: ["needs_input"], timeout: stepTimeoutSeconds });
  await play("questions");
  const { cursor } = await call.client.read({ id });
  await play("read", [id]);
  await play("explain", [id]);
  await play("respond", [id], { option: "1" });
  await play("wait", [id], { for: ["exited"], timeout: stepTimeoutSeconds, json: true });
  await play("read", [id], { since: cursor });
  await play("diff", [id], { stat: true });
  await play("merge", [id]);
}

type Given = Readonly<Record<string, string | true | readonly string[]>>;

const played = [
  ...waitCommands,
  ...agentCommands,
  ...outputCommands,
  ...inspectCommands,
  ...sendCommands,
  ...worktreeCommands,
];
const stepTimeoutSeconds = "60";

function flagText([name, value]: readonly [string, Given[string]]): string {
  return value === true ? `--${name}` : `--${name} ${value}`;
}

/** What a program printed may end within a line, and the next command begins on a new one. */
function endingLines(out: Out): Out {
  if (out.isTerminal) return out;
  return { ...out, content: (text) => out.content(text === "" || text.endsWith("\n") ? text : `${text}\n`) };
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
