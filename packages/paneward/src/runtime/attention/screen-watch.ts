import type { Evidence } from "../../model/attention/evidence.ts";
import { firstDrawn } from "../../model/attention/first-drawn.ts";
import { remember } from "../../model/attention/remember.ts";
import { afterHookLookMs, secondLookMs, soonLookMs } from "../../model/timing.ts";
import type { Clock, Listening, Log, Terminals } from "../ports.ts";
import { Looks } from "./looks.ts";
import type { IdentifiedQuestion } from "./question-identity.ts";
import { type SeenScreen, seeScreen } from "./screen.ts";
import { seeTwice } from "./second-look.ts";
import { maxLookDelayMs, settleDelayMs, type Watched } from "./watched.ts";

export interface ScreenPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly terminals: Pick<Terminals, "look" | "listens">;
}

/** Looks at screens and titles when that is due; what they show becomes evidence. */
export class ScreenWatch {
  readonly #ports: ScreenPorts;
  readonly #watched: ReadonlyMap<string, Watched>;
  readonly #changed: (watched: Watched) => void;
  readonly #looks: Looks;

  constructor(ports: ScreenPorts, watched: ReadonlyMap<string, Watched>, changed: (watched: Watched) => void) {
    this.#ports = ports;
    this.#watched = watched;
    this.#changed = changed;
    this.#looks = new Looks(ports.clock, (id) => this.#look(id));
  }

  /** Something was printed: look when the screen has settled. */
  printed(watched: Watched): void {
    this.#looks.printed(watched.id, settleDelayMs(watched), maxLookDelayMs(watched));
  }

  within(terminal: string, ms: number): void {
    this.#looks.within(terminal, ms);
  }

  /** Looks soon, and again when everything that a hook reported must have been drawn. */
  soon(terminal: string, againMs: number = afterHookLookMs): void {
    if (!this.#watched.has(terminal)) return;
    this.#looks.within(terminal, soonLookMs);
    this.#ports.clock.timer(againMs, () => {
      if (this.#watched.has(terminal)) this.#looks.within(terminal, 0);
    });
  }

  forget(terminal: string): void {
    this.#looks.forget(terminal);
  }

  stop(): void {
    this.#looks.stop();
  }

  async #look(id: string): Promise<void> {
    const watched = this.#watched.get(id);
    if (!watched) return;
    try {
      const askedAt = this.#ports.clock.monotonic();
      const { host, place, agent } = watched;
      const { look, seen } = await seeScreen(this.#ports.terminals, host, place, agent, this.#listening(watched));
      if (this.#watched.get(id) === watched) this.#saw(watched, look.title, seen, askedAt);
    } catch (error) {
      if (this.#watched.get(id) !== watched) return;
      watched.failures += 1;
      if (watched.failures === failuresToWarn)
        this.#ports.log.warn("a screen cannot be read", { terminal: id, error: String(error) });
      this.#looks.within(id, Math.min(retryMs * 2 ** watched.failures, maxRetryMs));
    }
  }

  // An open line is probably a prompt, so both are asked at once. That a program waited a moment ago is still so if nothing was
  // printed: then the second look needs the screen only.
  #listening({ agent, host, place, isOpenLine, pending, pace }: Watched): Promise<Listening> | undefined {
    if (agent?.readScreen) return undefined;
    if (isOpenLine) return this.#ports.terminals.listens(host, place);
    const { listening, at } = pending ?? {};
    const isRecent = at !== undefined && this.#ports.clock.monotonic() - at < secondLookMs;
    return listening?.waits && isRecent && (pace.lastAt ?? 0) < at ? Promise.resolve(listening) : undefined;
  }

  // Dated by when the look began: a report that arrives during a look is newer.
  #saw(watched: Watched, title: string, seen: SeenScreen, now: number): void {
    watched.failures = 0;
    sawTitle(watched, title, now);
    const { evidence, againMs } = seeTwice(watched, seen, now);
    if (evidence) {
      watched.evidence = remember(watched.evidence, firstDrawn(watched.evidence, evidence));
      watched.remembered = false;
    }
    if (againMs !== undefined) this.#looks.within(watched.id, againMs, againMs);
    this.#changed(watched);
  }
}

const retryMs = 500;
const maxRetryMs = 30_000;
const failuresToWarn = 5;

function sawTitle(watched: Watched, title: string, now: number): void {
  const reading = watched.agent?.readTitle?.(title);
  watched.titleBefore ??= title;
  if (!reading) return;
  const { says, rule, detail } = reading;
  if (watched.isStarting && says === "idle" && watched.titleBefore === title) return;
  const evidence: Evidence<IdentifiedQuestion> = {
    ...{ witness: "title", says, rule, at: now },
    ...(detail === undefined ? {} : { detail }),
  };
  watched.evidence = remember(watched.evidence, evidence);
}
