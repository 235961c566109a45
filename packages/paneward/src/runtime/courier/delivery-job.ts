import type { Delivery } from "@paneward/sdk";
import type { Agent, SubmitProfile } from "../../agents/agent.ts";
import { type Sight, withUndrawn } from "../../model/courier/submission.ts";
import type { DeliveryContent, PanePlace } from "../../model/records.ts";
import { readScreen } from "../attention/screen.ts";
import type { Clock, Terminals } from "../ports.ts";
import type { KnownQuestion } from "./dialog-grace.ts";
import type { Typist } from "./typist.ts";

/** One delivery under way: what it may look at, and where it reports how far it got. */
export interface DeliveryJob {
  readonly id: string;
  readonly terminals: Pick<Terminals, "look" | "lastMark">;
  readonly typist: Pick<Typist, "type" | "press">;
  readonly clock: Clock;
  readonly host: string;
  readonly place: PanePlace;
  readonly agent: Agent | undefined;
  readonly profile: SubmitProfile;
  readonly wish: DeliveryContent;
  /** It was under way when an earlier daemon ended. */
  readonly resumed: boolean;
  /** What the screen showed when it was sent a moment ago, if nothing else was typed since. */
  readonly seen: Sight | undefined;
  /** How long to wait for a witness; `blindMs` where only output can be one. */
  readonly witnessMs: number;
  readonly blindMs: number;
  report(state: Delivery["state"], reason?: string): void;
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
  /** Enter is about to be pressed: from now on a hook of the agent may report the text. */
  submitting(): void;
  /** Whether a hook has reported that the agent got just this text. */
  isMatched(): boolean;
}

/** What the screen shows now, with a dialog that is known and not drawn yet. */
export async function sight({ check, terminals, host, place, agent, asked }: DeliveryJob): Promise<Sight> {
  check();
  const seen = await sightIn(terminals, host, place, agent);
  check();
  return withUndrawn(seen, asked());
}

/** What one look at the pane says about typing into it. */
export async function sightIn(
  terminals: Pick<Terminals, "look">,
  host: string,
  place: PanePlace,
  agent: Agent | undefined,
): Promise<Sight> {
  const look = await terminals.look(host, place);
  const { question, draft } = readScreen(agent, look);
  return {
    inMode: look.inMode,
    isAgent: agent !== undefined && !agent.isShell,
    pasteMark: agent?.submit.pasteMark,
    hasLine: agent?.readScreen !== undefined,
    ...(question === undefined ? {} : { question }),
    ...(draft === undefined ? {} : { draft }),
  };
}
