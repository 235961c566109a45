import type { Delivery, Question, Scope } from "@paneward/sdk";
import type { Agent, SubmitProfile } from "../../agents/agent.ts";
import type { PromptFacts } from "../../agents/server.ts";
import type { ServerRequest, ServerSaid } from "../../model/agents/agent-server.ts";
import type { DeliverySteps } from "../../model/courier/delivery-plan.ts";
import { type Sight, withUndrawn } from "../../model/courier/submission.ts";
import type { DeliveryContent, PanePlace } from "../../model/records.ts";
import { seeScreen } from "../attention/screen.ts";
import type { Clock, Listening, Terminals } from "../ports.ts";
import type { KnownQuestion } from "./dialog-grace.ts";
import type { PromptReport } from "./prompts.ts";
import type { Typist } from "./typist.ts";

/** One delivery under way: what it may look at, and where it reports how far it got. */
export interface DeliveryJob {
  readonly id: string;
  readonly terminals: Pick<Terminals, "look" | "listens" | "lastMark" | "redraw">;
  readonly typist: Pick<Typist, "sequence">;
  readonly clock: Clock;
  readonly host: string;
  readonly place: PanePlace;
  readonly agent: Agent | undefined;
  readonly profile: SubmitProfile;
  readonly wish: DeliveryContent;
  /** What its sender may do. */
  readonly scope: Scope;
  /** Whether any look has understood a screen of this run. */
  isUnderstood(): boolean;
  /** How long the program has run. */
  ageMs(): number;
  /** How its agent is given a prompt beside its input line; absent where only keys can. */
  readonly beside?: Beside | undefined;
  /** What this delivery found of the screen. */
  readonly screen: { isForeign: boolean };
  /** How its text is brought into the input line. */
  readonly steps: DeliverySteps;
  /** It was under way when an earlier daemon ended. */
  readonly resumed: boolean;
  /** What the screen showed when it was sent a moment ago, if nothing else was typed since. */
  readonly seen: Sight | undefined;
  /** How long to wait for a witness; `blindMs` where only output can be one. */
  readonly witnessMs: number;
  readonly blindMs: number;
  /** How long the agent's own words come first, before a turn that begins is a witness. */
  readonly wordsFirstMs: number;
  report(state: Delivery["state"], reason?: string, release?: string): void;
  /** Its text is a secret: nothing of it may stay on record. */
  hide(): void;
  /** Throws when the program has ended, or when the daemon stops and the next one continues. */
  check(): void;
  /** Waits until the terminal prints or so many milliseconds are over. */
  pause(ms: number): Promise<void>;
  /** How often the terminal has printed so far. */
  outputs(): number;
  /** The question that is known to be open, by any witness. */
  asked(): KnownQuestion | undefined;
  /** The question on record. */
  question(): Question | undefined;
  /** The agent works, by what all its witnesses say. */
  works(): boolean;
  /** The same by what the agent itself shows or reports: a turn is under way. */
  inTurn(): boolean;
  /** Enter is about to be pressed, or was: from now on the agent may report the text. */
  submitting(): void;
  /** By what the agent reported that it was given just this text. */
  reportedBy(): PromptReport["as"] | undefined;
  /** What it was given instead, if it reported that. */
  otherWords(): string | undefined;
}

/** The agent's own server, for one delivery. */
export interface Beside {
  /** It was sent there before this daemon began: it must not be sent again. */
  readonly wasSent: boolean;
  /** What the server says right now; undefined when it does not answer, or knows no conversation. */
  ready(): Promise<Omit<PromptFacts, "screen"> | undefined>;
  request(text: string, facts: PromptFacts): ServerRequest | undefined;
  ask(request: ServerRequest): Promise<ServerSaid>;
  /** Reports the prompts that the agent has, as far as it says: its stream does not repeat what it told while it was down. */
  recall(): Promise<void>;
  /** This is the way that it goes from now on. */
  goes(way: NonNullable<Delivery["way"]>): void;
}

/** How a delivery was submitted. */
export interface Submission {
  /** By an earlier daemon; or not at all: the text left the input line before that. */
  readonly enter: "pressed" | "pressed before" | "not pressed";
  /** A turn of the agent was under way then, or that is not known. One that starts only counts as working. */
  readonly worked: boolean;
  /** How often the terminal had printed then. */
  readonly outputs: number;
}

/** What the screen shows now, with a dialog that is known and not drawn yet. */
export function sight(job: DeliveryJob): Promise<Sight> {
  return checked(job, ({ terminals, host, place, agent }) => sightIn(terminals, host, place, agent));
}

/** The same right before something is typed: whether it will be echoed matters then. */
export function sightBeforeTyping(job: DeliveryJob): Promise<Sight> {
  return checked(job, ({ terminals, host, place, agent }) => typingSight(terminals, host, place, agent));
}

async function checked(job: DeliveryJob, look: (job: DeliveryJob) => Promise<Sight>): Promise<Sight> {
  job.check();
  const seen = await look(job);
  job.check();
  return { ...withKnown(seen, job), isForeign: job.screen.isForeign };
}

/** A look, with what other witnesses know of the agent. */
export function withKnown(
  seen: Sight,
  { asked, works, inTurn }: Pick<DeliveryJob, "asked" | "works" | "inTurn">,
): Sight {
  const working = seen.working === true || works();
  return { ...withUndrawn(seen, asked()), working, inTurn: seen.working === true || inTurn() };
}

/** What one look at the pane says about typing into it now. An agent that shows its input line echoes by itself. */
export async function typingSight(
  terminals: Pick<Terminals, "look" | "listens">,
  host: string,
  place: PanePlace,
  agent: Agent | undefined,
): Promise<Sight> {
  // Beside the look, unless that is likely to show an agent's input line, which echoes by itself.
  const asked = agent?.readScreen ? undefined : terminals.listens(host, place);
  const seen = await sightIn(terminals, host, place, agent, asked);
  if (seen.hidden !== undefined || seen.draft !== undefined) return seen;
  const { hidden, raw, reads, waits } = await (asked ?? terminals.listens(host, place));
  if (raw && reads === "yes" && !seen.isBlank) return { ...seen, hidden, takes: "keys" };
  return { ...seen, hidden, ...(waits && !raw ? { takes: "line" } : {}) };
}

/** What one look at the pane says about typing into it. */
async function sightIn(
  terminals: Pick<Terminals, "look" | "listens">,
  host: string,
  place: PanePlace,
  agent: Agent | undefined,
  asked?: Promise<Listening>,
): Promise<Sight> {
  const { look, seen } = await seeScreen(terminals, host, place, agent, asked);
  const { question, draft, listening, inShell = false } = seen;
  return {
    inMode: look.inMode,
    isAgent: agent !== undefined && !agent.isShell,
    pasteMark: agent?.submit.pasteMark,
    lostAtWork: agent?.deliver?.lostAtWork,
    hasLine: agent?.readScreen !== undefined,
    working: seen.says === "working",
    inShell,
    screen: { lines: look.lines, columns: look.columns, title: look.title },
    isBlank: look.lines.every((line) => line.trim() === ""),
    ...(listening === undefined ? {} : { hidden: listening.hidden }),
    ...(question === undefined ? {} : { question }),
    ...(draft === undefined ? {} : { draft }),
  };
}
