import { PanewardError } from "@paneward/sdk";
import type { Call } from "../command.ts";
import { failureOf } from "../failure.ts";
import { askPerson } from "../look/exit.ts";
import { isInteractive } from "../prompt.ts";
import { runUndo } from "./run-undo.ts";
import { type Look, type Offer, type Setup, type Step, type Surroundings, settingOf } from "./setting.ts";
import { printEdits, printFound, printOffer } from "./show.ts";

interface Looked {
  readonly step: Step;
  readonly look: Look;
}

/** What becomes of what is offered. */
type Way = "asked" | "made" | "shown in full" | "shown";

export async function runInit(call: Call): Promise<number> {
  const { options, out, env, connection, progress } = call;
  const setup = await import("../../setup/setup.ts");
  if (options.flag("undo")) return runUndo(call, setup);
  const { agents, web } = await setup.readUserConfig(connection.places.userConfig);
  progress.say("looking for tmux, git, agents and shells");
  const found = await progress.during(() => setup.lookAround(env, agents));
  const looked: Looked[] = [];
  for (const step of setup.stepsFor(settingOf(call, web.origins), found))
    looked.push({ step, look: await lookOf(step) });
  if (options.flag("json")) {
    const made = await goThrough(call, setup, looked);
    out.json({ found, steps: looked.map((one) => stepJson(one, made, setup.differences)) });
  } else {
    printFound(out, env, found, looked);
    const made = await goThrough(call, setup, looked);
    printEnd(call, offersIn(looked).length, made.length, problemsIn(found));
    if (found.tmux.problem === undefined && wayOf(call) !== "shown in full")
      out.line("Next: `paneward demo`, a short tour.");
  }
  if (wayOf(call) !== "shown" || offersIn(looked).length === 0) return 0;
  throw new PanewardError("bad_input", "nothing was changed: there is no terminal (TTY) to ask on", {
    hint: "`paneward init --yes` does what is offered, `--dry-run` shows it line by line",
  });
}

/** A step that cannot look says why, and the others still run. */
async function lookOf(step: Step): Promise<Look> {
  try {
    return await step.look();
  } catch (error) {
    const { message, hint } = failureOf(error, "init");
    return { state: "not possible", detail: hint === undefined ? message : `${message}; ${hint}` };
  }
}

function wayOf({ options }: Call): Way {
  if (options.flag("dryRun")) return "shown in full";
  if (options.flag("yes")) return "made";
  return isInteractive() && !options.flag("json") ? "asked" : "shown";
}

/** Shows what is offered and makes what is agreed to. Returns the names of the steps that were made. */
async function goThrough(call: Call, setup: Setup, looked: readonly Looked[]): Promise<readonly string[]> {
  const { out, env, options, connection } = call;
  const isQuiet = options.flag("json");
  const offered = offersIn(looked);
  const made: string[] = [];
  for (const [at, one] of offered.entries()) {
    const { name, offer } = one;
    if (!isQuiet) printOffer(out, env, { ...one, place: `${at + 1}/${offered.length}` });
    if (!(await isAgreed(call, offer, setup))) continue;
    await setup.makeOffer(offer, { step: name, by: "init", places: connection.places, now: Date.now() });
    made.push(name);
    if (!isQuiet) out.line(`  ${out.paint("green", "done")}${offer.advice === undefined ? "" : `; ${offer.advice}`}`);
  }
  return made;
}

function offersIn(looked: readonly Looked[]) {
  return looked.flatMap(({ step: { name }, look }) =>
    "offer" in look ? [{ name, state: look.state, offer: look.offer }] : [],
  );
}

async function isAgreed(call: Call, offer: Offer, setup: Setup): Promise<boolean> {
  const { out, env, options } = call;
  const isQuiet = options.flag("json");
  switch (wayOf(call)) {
    case "shown":
      return false;
    case "shown in full":
      if (!isQuiet) printEdits(out, env, offer.edits, setup.differences);
      return false;
    case "made":
      if (offer.needsPerson && !isQuiet) out.line("  left out: it needs you at a terminal, without --yes");
      return !offer.needsPerson;
    case "asked":
      return asked(call, offer, setup);
  }
}

async function asked({ out, env, progress }: Call, { edits }: Offer, setup: Setup): Promise<boolean> {
  progress.clear();
  for (;;) {
    const answer = (await askPerson(`  Do it? [y/N${edits.length > 0 ? ", d shows the lines" : ""}] `)).trim();
    if (answer !== "d") return /^y(es)?$/i.test(answer);
    printEdits(out, env, edits, setup.differences);
  }
}

function stepJson({ step, look }: Looked, made: readonly string[], differences: Setup["differences"]) {
  if (!("offer" in look)) return { step: step.name, state: look.state, detail: look.detail, made: false };
  const { why, says, edits, advice, needsPerson } = look.offer;
  const changes = edits.map(({ path, before, after }) => ({
    path,
    isNew: before === undefined,
    lines: differences(before?.toString() ?? "", after.toString()).map((words) => words.join("")),
  }));
  const more = { ...(advice === undefined ? {} : { advice }), ...(needsPerson ? { needsPerson } : {}) };
  return { step: step.name, state: look.state, why, says, changes, ...more, made: made.includes(step.name) };
}

/** What no step can set up. */
function problemsIn({ tmux, git }: Surroundings): readonly string[] {
  return [tmux, git].flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name} ${problem}`]));
}

function printEnd(call: Call, offered: number, made: number, problems: readonly string[]): void {
  const { out } = call;
  out.line("");
  if (wayOf(call) === "shown in full") out.line("Nothing was changed (--dry-run).");
  else if (offered === 0 && problems.length > 0)
    out.line(`Nothing is left to set up here, but: ${problems.join("; ")}.`);
  else if (offered === 0) out.line("Everything is in place.");
  else if (made > 0) out.line(`${made} of ${offered} done. \`paneward init --undo\` takes it back.`);
  else if (wayOf(call) === "asked") out.line("Nothing was changed.");
}
