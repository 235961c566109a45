import type { Why } from "@paneward/sdk";
import { screenOutdatedMs } from "../timing.ts";
import { type Asked, type Detail, type Evidence, freshAt, type Says, type Witness } from "./evidence.ts";
import { canBeLookedAt, isDeadEnd, isMoment, isUnverified, lifetime, rank, rules } from "./rules.ts";
import { stuckSince } from "./stuck.ts";

/** The verdict, and what became of every witness. */
export interface Verdict<Q extends Asked = Asked> {
  readonly says: Says;
  readonly why: Why;
  readonly detail?: Detail;
  readonly question?: Q;
  /** Exits and the agent's own reports are sure, unless its file disagrees; what is read from outside may flicker. */
  readonly sure: boolean;
  readonly witnesses: readonly WeighedEvidence[];
}

/** One line of `explain`. */
export interface WeighedEvidence {
  readonly witness: Witness;
  readonly says: Says;
  readonly at: number;
  readonly used: boolean;
  readonly because: string;
  /** Only printed: any output can say so. */
  readonly unverified: boolean;
}

/** What counts beside the evidence. */
export interface Circumstances {
  /** An agent that claims to work in silence and without CPU for this long is stuck. */
  readonly stuckAfterMs?: number;
  /** Since when the terminal's processes have used no CPU; undefined while they do, or when that was not checked. */
  readonly cpuIdleSince?: number;
}

/** What a terminal's program is doing, from all evidence. */
export function judge<Q extends Asked>(
  evidence: readonly Evidence<Q>[],
  now: number,
  circumstances: Circumstances = {},
): Verdict<Q> {
  const lastOutputAt = evidence.find(({ witness }) => witness === "output")?.at;
  const refused = new Map<Evidence<Q>, string>();
  for (const one of evidence) {
    const reason = refusal(one, evidence, lastOutputAt, now);
    if (reason !== undefined) refused.set(one, reason);
  }
  const accepted = evidence.filter((one) => !refused.has(one)).sort(strongestFirst);
  let lead = accepted[0];
  let by = "no stronger witness contradicts it";
  for (const rival of accepted.slice(1)) {
    if (!lead || lead.witness === "exit" || rival.says === lead.says) continue;
    const agreeing = accepted.filter(({ says }) => says === rival.says);
    const contest = { lead, rival, backed: isBacked(lead, accepted), agreeing, lastOutputAt, now };
    const rule = rules.find(({ holds }) => holds(contest));
    if (!rule) continue;
    by = `against ${named(lead.witness)}: ${rule.name(named(rival.witness))}`;
    lead = rival;
  }
  if (!lead) return nothingKnown(evidence, refused, now);
  return verdictOf(lead, by, accepted, evidence, refused, { ...circumstances, lastOutputAt, now });
}

/** Why a witness does not count at all. */
function refusal(
  one: Evidence,
  evidence: readonly Evidence[],
  lastOutputAt: number | undefined,
  now: number,
): string | undefined {
  if (one.says === "unknown" && one.witness !== "exit") return "it does not know";
  if (tooOld(one, now)) return "it is too old";
  if (one.witness === "exit" && evidence.some((other) => rank[other.witness] === 1 && other.at > one.at)) {
    return "the agent reported again since";
  }
  // Stop with background tasks: file, title and screen look idle while the work continues.
  if (one.says === "idle" && canBeLookedAt(one) && evidence.some((other) => inBackground(other, now))) {
    return "work continues in the background";
  }
  return outrun(one, lastOutputAt ?? 0);
}

/** Whether output shows that evidence is outdated. */
function outrun(one: Evidence, lastOutputAt: number): string | undefined {
  if (one.witness === "screen" && lastOutputAt > freshAt(one) + screenOutdatedMs) return "the screen was written since";
  if (one.witness === "silence" && lastOutputAt > one.at) return "there was output since";
  if (one.witness === "bell" && lastOutputAt > one.at + screenOutdatedMs) return "the program continued since";
  return undefined;
}

function tooOld(one: Evidence, now: number): boolean {
  return now - freshAt(one) > lifetime(one);
}

function inBackground(one: Evidence, now: number): boolean {
  return (isMoment(one) || one.witness === "screen") && one.detail === "background_work" && !tooOld(one, now);
}

function isBacked(lead: Evidence, accepted: readonly Evidence[]): boolean {
  return accepted.some((one) => one !== lead && one.says === lead.says && canBeLookedAt(one));
}

function strongestFirst(one: Evidence, other: Evidence): number {
  return rank[one.witness] - rank[other.witness] || other.at - one.at;
}

function verdictOf<Q extends Asked>(
  lead: Evidence<Q>,
  by: string,
  accepted: readonly Evidence<Q>[],
  evidence: readonly Evidence<Q>[],
  refused: ReadonlyMap<Evidence<Q>, string>,
  known: Circumstances & { readonly lastOutputAt: number | undefined; readonly now: number },
): Verdict<Q> {
  const agreeing = accepted.filter((one) => one.says === lead.says);
  const question = lead.says === "needs_input" ? agreeing.find((one) => one.question)?.question : undefined;
  const since = stuckSince(lead, known);
  const detail = since === undefined ? (lead.detail ?? agreeing.find((one) => hasReason(one, lead))?.detail) : "stuck";
  const others = agreeing.filter((one) => one !== lead).map(({ witness }) => named(witness));
  const unverified = isUnverified(lead);
  const rule = lead.says === "needs_input" && unverified ? `${lead.rule} (unverified)` : lead.rule;
  const support = question?.text ?? (others.length > 0 ? `also said by ${others.join(" and ")}` : undefined);
  return {
    says: lead.says,
    why: {
      source: lead.witness,
      rule: since === undefined ? rule : `${rule}, but silent and without CPU since`,
      since: since ?? lead.at,
      ...(support === undefined ? {} : { evidence: support }),
      ...(unverified ? { unverified } : {}),
    },
    ...(detail === undefined ? {} : { detail }),
    ...(question === undefined ? {} : { question }),
    sure: rank[lead.witness] <= 1 && !doubted(lead, accepted),
    witnesses: evidence.map((one) => ({
      witness: one.witness,
      says: one.says,
      at: one.at,
      used: one === lead,
      unverified: isUnverified(one),
      because: one === lead ? by : (refused.get(one) ?? lost(one, lead)),
    })),
  };
}

/** Claude Code's state file says busy as long as a shell of it runs; its screen says why. */
function hasReason(one: Evidence, lead: Evidence): boolean {
  return isDeadEnd(one) || (one.detail === "background_work" && !isMoment(lead) && freshAt(one) >= lead.at);
}

/** Stop while a queued prompt is about to run: the hook says idle, the file never left busy. */
function doubted(lead: Evidence, accepted: readonly Evidence[]): boolean {
  return isMoment(lead) && accepted.some(({ witness, says }) => witness === "state_file" && says !== lead.says);
}

function lost(one: Evidence, lead: Evidence): string {
  if (one.says === lead.says) return `it agrees with ${named(lead.witness)}`;
  return rank[one.witness] > rank[lead.witness]
    ? `${named(lead.witness)} is stronger`
    : `${named(lead.witness)} is fresher`;
}

function nothingKnown<Q extends Asked>(
  evidence: readonly Evidence<Q>[],
  refused: ReadonlyMap<Evidence<Q>, string>,
  now: number,
): Verdict<Q> {
  return {
    says: "unknown",
    why: { source: "daemon", rule: "no witness knows", since: Math.max(0, ...evidence.map(freshAt)) || now },
    sure: false,
    witnesses: evidence.map((one) => ({
      witness: one.witness,
      says: one.says,
      at: one.at,
      used: false,
      unverified: isUnverified(one),
      because: refused.get(one) ?? "",
    })),
  };
}

function named(witness: Witness): string {
  return `the ${witness === "osc" ? "OSC sequence" : witness.replace("_", " ")}`;
}
