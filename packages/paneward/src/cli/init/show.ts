import { pathForSource } from "../from-source.ts";
import type { Out } from "../look/out.ts";
import type { Edit, Look, Offer, Setup, Step, Surroundings } from "./setting.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What is here, and what needs nothing. */
export function printFound(
  out: Out,
  env: Environment,
  { paneward, tmux, git, agents, shells, ownShell }: Surroundings,
  looked: readonly { readonly step: Step; readonly look: Look }[],
): void {
  const there = (programs: Surroundings["agents"]) => programs.filter(({ path }) => path !== undefined);
  const named = ({ name, version = "" }: Surroundings["tmux"]) => `${name} ${version}`.trimEnd();
  const rows: readonly (readonly [string, string])[] = [
    ["tmux", tmux.problem === undefined ? (tmux.version ?? "found") : out.paint("red", withVersion(tmux))],
    ["git", git.problem === undefined ? (git.version ?? "found") : out.paint("red", withVersion(git))],
    ["agents", there(agents).map(named).join(", ") || "none on your PATH"],
    [
      "shells",
      there(shells)
        .map((one) => named(one) + (one.name === ownShell ? " (yours)" : ""))
        .join(", "),
    ],
  ];
  out.line(out.paint("bold", "Found"));
  if (paneward.problem !== undefined) {
    out.line(`  ${out.paint("red", `the command paneward is ${paneward.problem}`)}`);
    for (const line of pathForSource()) out.line(`  ${line}`);
  }
  for (const [name, text] of rows) if (text !== "") out.line(`  ${name.padEnd(8)}${text}`);
  const settled = looked.flatMap(({ step, look }) => ("detail" in look ? [{ step, look }] : []));
  const widest = Math.max(0, ...settled.map(({ step }) => step.name.length));
  if (settled.length > 0) out.line(`\n${out.paint("bold", "Not offered")}`);
  for (const { step, look } of settled) {
    const mark = look.state === "in place" ? out.paint("green", "ok") : out.paint("dim", "— ");
    out.line(`  ${mark} ${step.name.padEnd(widest)}  ${shortened(look.detail, env)}`);
  }
}

interface Shown {
  readonly name: string;
  readonly state: string;
  readonly offer: Offer;
  /** `1/3`. */
  readonly place: string;
}

export function printOffer(out: Out, env: Environment, { name, state, offer, place }: Shown): void {
  const repair = state === "damaged" ? " (to repair)" : "";
  out.line(`\n${out.paint("bold", `${place}  ${name}`)}${repair}: ${offer.why}`);
  for (const text of offer.says) out.line(`  ${shortened(text, env)}`);
}

/** Every line that would change, with those around it. */
export function printEdits(
  out: Out,
  env: Environment,
  edits: readonly Edit[],
  differences: Setup["differences"],
): void {
  for (const { path, before, after } of edits) {
    out.line(`  ${out.paint("bold", shortened(path, env))}`);
    for (const [mark, line] of differences(before?.toString() ?? "", after.toString())) {
      const text = `  ${mark} ${line}`;
      out.line(mark === " " ? out.paint("dim", text) : out.paint(mark === "+" ? "green" : "red", text));
    }
  }
}

/** Paths below the home folder as people write them. */
export function shortened(text: string, { HOME }: Environment): string {
  return HOME && HOME !== "/" ? text.replaceAll(`${HOME}/`, "~/") : text;
}

function withVersion({ version, problem = "" }: Surroundings["tmux"]): string {
  return version === undefined ? problem : `${version}, ${problem}`;
}
