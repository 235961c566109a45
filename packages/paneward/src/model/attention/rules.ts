import {
  answeredWorksMs,
  bellMs,
  dialogDrawnMs,
  drawnTogetherMs,
  eventStreamOverrulesMs,
  followsHookMs,
  questionOverrulesMs,
  reportedQuestionMs,
  reportedWorkMs,
  silentAfterMs,
  wordOverrulesMs,
} from "../timing.ts";
import { type Evidence, freshAt, type Witness } from "./evidence.ts";

/**
 * Which witness overrules which. The strongest witness that counts leads, among equals the newest; a weaker one with
 * another answer takes the lead only by one of these rules. An exit is never overruled.
 *
 * | Lead                             | Overruled by                 | When                                         |
 * |----------------------------------|------------------------------|----------------------------------------------|
 * | anything but an exit or the file | title, OSC, screen           | it changed after that (Escape fires no hook) |
 * | an idle or working screen        | title, OSC                   | it changed after the last look               |
 * | an idle screen                   | title, OSC that report work  | it changed after the screen did; one of them |
 * |                                  |                              | alone for 5 s                                |
 * | hook, event, extension, bell     | file, title, OSC, screen     | it was looked at again and still says so     |
 * | anything but an exit             | question on the screen       | it came later and nothing was printed since  |
 * | hook, event, extension, bell     | question on the screen       | it came later and is still on the screen     |
 * | working or idle                  | quota reached, login expired | unless work began after it was last seen     |
 */
export const rules: readonly Rule[] = [
  {
    name: (rival) => `${rival} changed after that`,
    holds: (contest) => byLooking(contest) && contest.rival.at > freshAtOf(contest.lead) + seenLateBy(contest.rival),
  },
  {
    name: (rival) => `${rival} changed after the last look`,
    holds: ({ lead, rival }) => isWord(rival) && isRestOrWork(lead) && rival.at > freshAt(lead),
  },
  {
    name: (rival) => `${rival} reports work that began after the screen became idle`,
    holds: ({ lead, rival, agreeing }) =>
      isWord(rival) &&
      isRestOrWork(lead) &&
      !isDeadEnd(lead) &&
      rival.says === "working" &&
      lead.says === "idle" &&
      rival.at > lead.at + seenLateBy(rival) &&
      (agreeing.some((one) => one !== rival && isWord(one)) || freshAt(lead) < rival.at + wordOverrulesMs),
  },
  {
    name: (rival) => `${rival} was read again after that and reports the same`,
    holds: (contest) =>
      byLooking(contest) && isMoment(contest.lead) && freshAt(contest.rival) >= contest.lead.at + drawnWithin(contest),
  },
  {
    name: () => "the question appeared after that and nothing was printed since",
    holds: ({ lead, rival, lastOutputAt, now }) =>
      onScreen(rival) &&
      rival.at > lead.at &&
      // Polled panes report output late: against rest the question counts until the next look.
      (lead.says === "idle" || (lastOutputAt ?? 0) <= rival.at + drawnTogetherMs) &&
      now >= rival.at + overrulesMs(lead, lead.says === "idle" ? 0 : questionOverrulesMs),
  },
  {
    name: () => "the question appeared after that and is still on the screen",
    holds: ({ lead, rival }) =>
      onScreen(rival) &&
      isMoment(lead) &&
      rival.at > lead.at &&
      freshAt(rival) >= rival.at + overrulesMs(lead, questionOverrulesMs),
  },
  {
    name: () => "the agent cannot continue",
    holds: ({ lead, rival }) =>
      isDeadEnd(rival) && lead.says !== "needs_input" && !(lead.says === "working" && lead.at > freshAt(rival)),
  },
];

interface Rule {
  /** Says why the rival wins, by the rival's name. */
  readonly name: (rival: string) => string;
  readonly holds: (contest: Contest) => boolean;
}

interface Contest {
  readonly lead: Evidence;
  readonly rival: Evidence;
  /** A title, a file or an OSC sequence says the same as the lead. */
  readonly backed: boolean;
  /** All evidence that says the same as the rival. */
  readonly agreeing: readonly Evidence[];
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

/** How long evidence counts after it was last confirmed. A witness that is not listed counts until its next report. */
export function lifetime({ witness, says, lastsMs }: Pick<Evidence, "witness" | "says" | "lastsMs">): number {
  return lastsMs ?? lifetimes[`${witness} ${says}`] ?? lifetimes[witness] ?? Number.POSITIVE_INFINITY;
}

const lifetimes: Readonly<Record<string, number>> = {
  "hook working": reportedWorkMs,
  "hook needs_input": reportedQuestionMs,
  "extension working": reportedWorkMs,
  "event_stream working": reportedWorkMs,
  "event_stream needs_input": reportedQuestionMs,
  "osc working": reportedWorkMs,
  "osc needs_input": reportedQuestionMs,
  bell: bellMs,
  answer: answeredWorksMs,
  output: silentAfterMs,
};

function overrulesMs({ witness }: Evidence, usual: number): number {
  return witness === "event_stream" ? eventStreamOverrulesMs : usual;
}

/** How late a change is noticed: titles are read with the screen, and output a moment after it came. */
function seenLateBy({ witness }: Evidence): number {
  return witness === "title" || witness === "osc" ? drawnTogetherMs : 0;
}

function drawnWithin({ lead, rival: { witness, says } }: Contest): number {
  if (lead.question && says === "working") return dialogDrawnMs;
  return followsHookMs[witness === "state_file" || witness === "screen" ? witness : "other"];
}

/** A moment has a date, and no later look can confirm or withdraw it. */
export function isMoment({ witness }: Evidence): boolean {
  return witness === "hook" || witness === "event_stream" || witness === "extension" || witness === "bell";
}

export function canBeLookedAt({ witness }: Evidence): boolean {
  return witness === "state_file" || witness === "screen" || witness === "title" || witness === "osc";
}

/** What is printed, any output can contain; nobody but the program's terminal vouches for it. */
export function isUnverified({ witness, unverified }: Evidence): boolean {
  return unverified === true || witness === "title" || witness === "osc" || witness === "bell";
}

/** What the program itself reports where it prints, and no look can misread. */
function isWord({ witness }: Evidence): boolean {
  return witness === "title" || witness === "osc";
}

function isRestOrWork({ witness, says }: Evidence): boolean {
  return witness === "screen" && (says === "idle" || says === "working");
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

/** The agent cannot continue before a person paid, waited or logged in. */
export function isDeadEnd({ detail }: Evidence): boolean {
  return detail === "quota_reached" || detail === "login_expired";
}
