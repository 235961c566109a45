import { PanewardError } from "@paneward/sdk";
import { percentiles } from "../percentiles.ts";
import type { Sent } from "./conditions.ts";

export const faultKinds = ["lost", "doubled", "altered", "false receipt"] as const;

export interface Fault {
  readonly kind: (typeof faultKinds)[number];
  readonly what: string;
}

/** What a receipt claims that the model gets; undefined for a text that was refused. */
export type Claim = Sent & { readonly claims: string | undefined };

/** Compares what the model got with what the receipts claim. `extra` are prompts of the test's own. */
export function judged(
  claims: readonly Claim[],
  {
    got,
    extra,
    hasRun,
  }: { readonly got: readonly string[]; readonly extra: readonly string[]; readonly hasRun: boolean },
): readonly Fault[] {
  const faults: Fault[] = [];
  const left = [...got];
  const take = (prompt: string) => {
    const at = left.indexOf(prompt);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  const missing = extra.filter((prompt) => !take(prompt)).map((prompt) => `of the test's own: ${prompt}`);
  for (const one of claims) {
    const { outcome, claims: wanted } = one;
    if (outcome instanceof PanewardError) {
      if (outcome.code !== "bad_input")
        faults.push({ kind: "false receipt", what: `${outcome.message}: ${short(one.text)}` });
      continue;
    }
    const arrived = wanted !== undefined && take(wanted);
    if (arrived && outcome.state !== "acknowledged" && outcome.state !== "unknown") {
      faults.push({ kind: "false receipt", what: `${saidOf(one)}, and it arrived` });
    }
    if (arrived) continue;
    missing.push(`${saidOf(one)}`);
    if (outcome.state === "acknowledged") faults.push({ kind: "false receipt", what: saidOf(one) });
  }
  const again = left.filter((prompt) => got.indexOf(prompt) !== got.lastIndexOf(prompt));
  const others = left.filter((prompt) => !again.includes(prompt));
  faults.push(...again.map((prompt) => ({ kind: "doubled", what: short(prompt) }) as const));
  faults.push(...others.map((prompt) => ({ kind: "altered", what: `the model got ${short(prompt)}` }) as const));
  // What arrived otherwise is not lost as well.
  const lost = missing.slice(others.length);
  faults.push(...lost.map((what) => ({ kind: "lost", what }) as const));
  if (others.length > 0)
    faults.push(...missing.slice(0, others.length).map((what) => ({ kind: "altered", what }) as const));
  if (hasRun) faults.push({ kind: "altered", what: "a shell ran something" });
  return faults;
}

function saidOf({ outcome, text, condition }: Claim): string {
  const said = outcome instanceof PanewardError ? outcome.message : `${outcome.state} (${outcome.reason})`;
  return `${condition}, ${said}: ${short(text)}`;
}

function short(text: string): string {
  return JSON.stringify(text.length > 700 ? `${text.slice(0, 350)}…${text.slice(-350)}` : text);
}

/** The figures of a run so far. */
export class Tally {
  texts = 0;
  readonly faults: Fault[] = [];
  readonly #states: Record<string, number> = {};
  readonly #ways: Record<string, number> = {};
  readonly #conditions: Record<string, number> = {};
  readonly #refusals: Record<string, number> = {};
  readonly #took: number[] = [];

  add(sent: readonly Sent[], faults: readonly Fault[]): void {
    this.texts += sent.length;
    this.faults.push(...faults);
    for (const { outcome, condition, ms } of sent) {
      const isRefused = outcome instanceof PanewardError;
      count(this.#states, isRefused ? "refused" : outcome.state);
      count(this.#conditions, condition);
      if (!isRefused && outcome.way) count(this.#ways, outcome.way);
      if (isRefused) count(this.#refusals, outcome.message);
      else if (condition === "idle") this.#took.push(ms);
    }
  }

  lines(): readonly string[] {
    const kinds = faultKinds.map((kind) => `${this.faults.filter((one) => one.kind === kind).length} ${kind}`);
    return [
      `${this.texts} texts: ${listed(this.#states)}; ${kinds.join(", ")}`,
      ...(Object.keys(this.#ways).length > 0 ? [`by the ways ${listed(this.#ways)}`] : []),
      `in the conditions ${listed(this.#conditions)}`,
      `an idle agent's receipt after ${percentiles(this.#took)}`,
      ...Object.entries(this.#refusals).map(([why, number]) => `${number} refused: ${why}`),
    ];
  }
}

function count(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, number]) => `${number} ${what}`)
    .join(", ");
}
