import { type Evidence, freshAt, type Witness } from "./evidence.ts";

/**
 * Who overrules whom. Of the living witnesses the strongest leads, among equals the newest; a weaker one with
 * another answer takes the lead only by one of these. An exit is never overruled.
 *
 * | Lead                             | Overruled by                 | When                                         |
 * |----------------------------------|------------------------------|----------------------------------------------|
 * | anything but an exit or the file | title, OSC, screen           | it changed after that (Escape fires no hook) |
 * | hook, event, extension, bell     | file, title, OSC, screen     | it was looked at again and still says so     |
 * | anything but an exit             | question on the screen       | it came later and nothing was printed since  |
 * | hook, event, extension, bell     | question on the screen       | it came later and still stands               |
 * | working or idle                  | quota reached, login expired | unless work began after it was last seen     |
 */
export const rules: readonly Rule[] = [
  {
    name: "it changed after that",
    holds: (contest) => byLooking(contest) && contest.rival.at > freshAtOf(contest.lead) + seenLateBy(contest.rival),
  },
  {
    name: "it was looked at again after that and still says so",
    holds: (contest) =>
      byLooking(contest) && isMoment(contest.lead) && freshAt(contest.rival) >= contest.lead.at + drawnWithin(contest),
  },
  {
    name: "the question appeared after that and nothing was printed since",
    holds: ({ lead, rival, lastOutputAt, now }) =>
      onScreen(rival) &&
      rival.at > lead.at &&
      // Of a pane that only looks can follow, output is told late: against rest the question counts until the next look.
      (lead.says === "idle" || (lastOutputAt ?? 0) <= rival.at + drawnTogetherMs) &&
      now >= rival.at + standsMs(lead, lead.says === "idle" ? 0 : questionStandsMs),
  },
  {
    name: "the question appeared after that and still stands",
    holds: ({ lead, rival }) =>
      onScreen(rival) &&
      isMoment(lead) &&
      rival.at > lead.at &&
      freshAt(rival) >= rival.at + standsMs(lead, questionStandsMs),
  },
  {
    name: "the agent can go no further",
    holds: ({ lead, rival }) =>
      isDeadEnd(rival) && lead.says !== "needs_input" && !(lead.says === "working" && lead.at > freshAt(rival)),
  },
];

interface Rule {
  readonly name: string;
  readonly holds: (contest: Contest) => boolean;
}

interface Contest {
  readonly lead: Evidence;
  readonly rival: Evidence;
  /** A title, a file or an OSC sequence says the same as the lead. */
  readonly backed: boolean;
  readonly lastOutputAt: number | undefined;
  readonly now: number;
}

/** Smaller is stronger. */
export const rank: Readonly<Record<Witness, number>> = {
  exit: 0,
  extension: 1,
  hook: 1,
  event_stream: 1,
  state_file: 1,
  screen: 2,
  title: 3,
  osc: 3,
  bell: 4,
  answer: 5,
  start: 6,
  output: 7,
  silence: 8,
};

/** How long a word counts after it was last known to be so. Who is not listed counts until he says something else. */
export function lifetime({ witness, says, lastsMs }: Pick<Evidence, "witness" | "says" | "lastsMs">): number {
  return lastsMs ?? lifetimes[`${witness} ${says}`] ?? lifetimes[witness] ?? Number.POSITIVE_INFINITY;
}

const minute = 60_000;
const lifetimes: Readonly<Record<string, number>> = {
  // A hook has nobody who takes its word back: kill -9, Escape and denial fire none.
  "hook working": 60 * minute,
  "hook needs_input": 12 * 60 * minute,
  "extension working": 60 * minute,
  "event_stream working": 60 * minute,
  "event_stream needs_input": 12 * 60 * minute,
  // A program that was killed does not take back what it said in its output.
  "osc working": 60 * minute,
  "osc needs_input": 12 * 60 * minute,
  bell: 5 * minute,
  answer: 2_000,
  output: 1_000,
};

/** A question is drawn in several writes; what comes this soon after its first sight belongs to it. */
const drawnTogetherMs = 300;
/** A question must stand this long before it overrules an agent that says it works. */
export const questionStandsMs = 700;
/** Who tells of every question as it comes and goes is right longer: a dialog that was answered may still be drawn anew. */
export const toldStandsMs = 3_000;
/** Output this long after the last look means that the screen shows something else by now. */
export const screenOutdatedMs = 2_000;

function standsMs({ witness }: Evidence, usual: number): number {
  return witness === "event_stream" ? toldStandsMs : usual;
}

/** How late a change is noticed: titles are read with the screen, and output a moment after it came. */
function seenLateBy({ witness }: Evidence): number {
  return witness === "title" || witness === "osc" ? drawnTogetherMs : 0;
}

/** After a hook the file, the screen or the title shows the same within this time (Codex: title 1 s after the request). */
function drawnWithin({ lead, rival: { witness, says } }: Contest): number {
  if (lead.question && says === "working") return dialogDrawnWithinMs;
  return witness === "state_file" ? 250 : witness === "screen" ? 1_000 : 1_500;
}

/** A busy machine draws a dialog seconds after its hook. One that was drawn and is gone is a change, and known at once. */
export const dialogDrawnWithinMs = 5_000;

/** A moment has a date and nobody who takes its word back. */
export function isMoment({ witness }: Evidence): boolean {
  return witness === "hook" || witness === "event_stream" || witness === "extension" || witness === "bell";
}

export function canBeLookedAt({ witness }: Evidence): boolean {
  return witness === "state_file" || witness === "screen" || witness === "title" || witness === "osc";
}

function onScreen({ witness, says }: Evidence): boolean {
  return witness === "screen" && says === "needs_input";
}

/** A moment is as fresh as its date; what can be looked at is as fresh as the last look. */
function freshAtOf(lead: Evidence): number {
  return isMoment(lead) ? lead.at : freshAt(lead);
}

/**
 * Whether a look may contradict the lead at all. The state file is right in every recorded case, so only a question
 * overrules it; and a screen that is read wrongly must not overrule a hook that the title or the file confirms.
 */
function byLooking({ lead, rival, backed }: Contest): boolean {
  return (
    canBeLookedAt(rival) && !onScreen(rival) && lead.witness !== "state_file" && !(backed && rival.witness === "screen")
  );
}

/** Nobody can go on before a person paid, waited or logged in. */
export function isDeadEnd({ detail }: Evidence): boolean {
  return detail === "quota_reached" || detail === "login_expired";
}
