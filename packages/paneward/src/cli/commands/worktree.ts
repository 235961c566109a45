import { type Output, PanewardError } from "@paneward/sdk";
import { runProgram } from "../child.ts";
import type { Call, Command } from "../command.ts";
import { given } from "../options.ts";
import { idsOrOwnTask } from "../own-task.ts";
import { withTaskProgress } from "../task-progress.ts";

export const worktreeCommands: readonly Command[] = [
  {
    name: "merge",
    operations: ["merge"],
    summary: "rebase a task's branch and fast-forward its base",
    details: "Uncommitted changes or a conflict are refused, and nothing is changed.",
    page: "tasks.md#merge",
    takes: "<id>",
    completes: "tasks",
    options: [["--base <branch>", "merge into this branch instead"]],
    examples: ["paneward merge 12", "paneward merge 12 --base main"],
    run: merge,
  },
  {
    name: "diff",
    operations: ["diff"],
    summary: "what a task changed against its base",
    details: "Includes uncommitted and untracked files, since the branch left its base.",
    takes: "[id]",
    completes: "tasks",
    options: [["--stat", "only the number of changed lines per file"]],
    examples: ["paneward diff 12", "paneward diff 12 --stat", "paneward diff 12 | git apply"],
    run: diff,
  },
  {
    name: "path",
    operations: ["path"],
    summary: "the path of a task's worktree",
    takes: "[id]",
    completes: "tasks",
    examples: ['cd "$(paneward path 12)"', "paneward path 12 --json"],
    run: path,
  },
  {
    name: "branch",
    operations: ["branch"],
    summary: "a task's branch",
    takes: "[id]",
    completes: "tasks",
    examples: ["paneward branch 12", 'git log "$(paneward branch 12)"'],
    run: branch,
  },
  {
    name: "bootstrap",
    operations: ["bootstrap"],
    summary: "prepare a worktree again: copy files, run the setup script",
    takes: "<id>",
    completes: "tasks",
    examples: ["paneward bootstrap 12"],
    run: bootstrap,
  },
  {
    name: "exec",
    operations: ["path"],
    summary: "run a command in a task's worktree; its exit code is passed on",
    details:
      "The command gets the task's variables (`PANEWARD_TASK_ID` and the others). Exit code 127 when there is no such program, 126 when it cannot be run.",
    takes: "<id> <command...>",
    completes: "tasks",
    passesOn: true,
    json: false,
    examples: ["paneward exec 12 -- npm test", "paneward exec fix-login -- git status --short"],
    run: exec,
  },
];

async function merge({ client, args, options, out, progress }: Call): Promise<undefined> {
  const [id = ""] = args;
  progress.say(`merging ${id}`);
  const answer = await client.merge(given({ id, base: options.text("base") }));
  if (options.flag("json")) return void out.json(answer);
  out.line(mergeSummary(answer));
}

function mergeSummary({ base, commits, head }: Output<"merge">): string {
  return `${base} advanced by ${commits === 1 ? "1 commit" : `${commits} commits`} to ${head.slice(0, 12)}`;
}

async function diff(call: Call): Promise<undefined> {
  const { client, options, out } = call;
  const [id = ""] = idsOrOwnTask(call).args;
  const answer = await client.diff(given({ id, stat: options.flag("stat") ? "true" : undefined }));
  if (options.flag("json")) return void out.json(answer);
  if (answer.diff === "") out.note(`no changes against ${answer.base}`);
  out.content(coloured(answer.diff, out));
  if (answer.truncated) out.note(`paneward: the diff is cut; \`paneward exec ${id} -- git diff\` shows all of it`);
}

function coloured(diff: string, { paint, isTerminal }: Call["out"]): string {
  if (!isTerminal) return diff;
  return diff.replace(/^(?:(diff |index |\+\+\+|---).*|(\+).*|(-).*|(@@).*)$/gm, (line, head, plus, minus, place) => {
    if (head) return paint("bold", line);
    return plus ? paint("green", line) : minus ? paint("red", line) : place ? paint("cyan", line) : line;
  });
}

async function path(call: Call): Promise<undefined> {
  const { client, options, out } = call;
  const [id = ""] = idsOrOwnTask(call).args;
  const answer = await client.path({ id });
  if (options.flag("json")) return void out.json(answer);
  out.content(`${answer.path}\n`);
  if (!answer.exists) out.note(`paneward: it does not exist yet; \`paneward start ${id}\` creates it`);
}

async function branch(call: Call): Promise<undefined> {
  const { client, options, out } = call;
  const [id = ""] = idsOrOwnTask(call).args;
  const answer = await client.branch({ id });
  if (options.flag("json")) out.json(answer);
  else out.content(`${answer.branch}\n`);
}

async function bootstrap(call: Call): Promise<undefined> {
  const { client, args, options, out } = call;
  const [id = ""] = args;
  const answer = await withTaskProgress(call, id, () => client.bootstrap({ id }));
  if (options.flag("json")) return void out.json(answer);
  for (const file of answer.copied) out.line(`copied ${file}`);
  if (answer.ran !== undefined) out.line(`ran ${answer.ran}`);
  if (answer.output !== "") out.content(answer.output.endsWith("\n") ? answer.output : `${answer.output}\n`);
  if (answer.copied.length === 0 && answer.ran === undefined) out.note("nothing to copy and nothing to run");
}

async function exec({ client, args, env, progress, out }: Call): Promise<number> {
  const [id = "", ...rest] = args;
  const argv = rest[0] === "--" ? rest.slice(1) : rest;
  if (argv.length === 0)
    throw new PanewardError("bad_input", "no command given", { hint: "paneward exec ID -- CMD ARG…" });
  const place = await client.path({ id });
  if (!place.exists) {
    const hint = `\`paneward start ${id}\` creates it`;
    throw new PanewardError("wrong_state", `the worktree ${place.path} does not exist`, { hint });
  }
  progress.silence();
  try {
    return await runProgram({ argv, cwd: place.path, env: { ...env, ...place.env } });
  } catch (cause) {
    out.note(`paneward: ${argv[0]} could not be started: ${(cause as Error).message}`);
    return (cause as NodeJS.ErrnoException).code === "ENOENT" ? 127 : 126;
  }
}
