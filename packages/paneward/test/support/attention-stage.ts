import type { Agent, ShownQuestion } from "../../src/agents/agent.ts";
import type { Evidence, Says, Witness } from "../../src/model/attention/evidence.ts";
import type { TerminalRecord } from "../../src/model/records.ts";
import { Attention } from "../../src/runtime/attention/attention.ts";
import { type IdentifiedQuestion, withHash } from "../../src/runtime/attention/question-identity.ts";
import type { Listening } from "../../src/runtime/ports.ts";
import { FakeClock } from "./fake-clock.ts";

/** An agent whose screen is one line: `works`, `rests`, `asks WHAT`, `quota`; anything else says nothing. */
export const robot: Agent = {
  ...{ name: "robot", cmd: ["robot"], withPrompt: (cmd, prompt) => [...cmd, prompt], env: /^$/ },
  submit: { textEnterDelayMs: 0, keyDelayMs: 0, dialogGraceMs: 0 },
  readScreen: ({ lines: [line = ""] }) => {
    if (line === "works") return { says: "working", rule: "a spinner" };
    if (line === "rests") return { says: "idle", rule: "an input line" };
    if (line === "quota") return { says: "idle", rule: "a limit", detail: "quota_reached" };
    const [, text] = /^asks (.+)$/.exec(line) ?? [];
    return text === undefined ? undefined : { says: "needs_input", rule: "a dialog", question: asked(text, line) };
  },
  readTitle: (title) => (title === "spins" ? { says: "working", rule: "the title spins" } : undefined),
};

function asked(text: string, region = ""): ShownQuestion {
  return { kind: "permission", text, options: [], freeText: false, proposal: { command: text }, region };
}

/** One terminal before the real Attention, on a clock and a screen of the test's own. */
export class AttentionStage {
  readonly clock = new FakeClock(100_000_000);
  readonly attention: Attention;
  /** Every change: when, what, by which witness, since how long, and what is asked. */
  readonly changes: string[] = [];
  readonly warnings: string[] = [];
  looks = 0;
  /** What the kernel says of its terminal. */
  listening: Listening = { reads: "yes", hidden: false, raw: false, waits: true };
  #line = "";
  #title = "";
  #cpu: number | undefined;
  #away = false;
  #began = this.clock.monotonic();

  constructor(stuckAfterMs = 600_000) {
    this.attention = new Attention({
      clock: this.clock,
      log: { info() {}, error() {}, warn: (message) => this.warnings.push(message) },
      terminals: {
        look: async () => {
          this.looks += 1;
          if (this.#away) throw new Error("the host is away");
          const cursor = { row: 0, column: this.#line.length };
          const size = { columns: 80, rows: 24, scrolled: 0 };
          return { lines: [this.#line], cursor, title: this.#title, inMode: false, alternate: false, ...size };
        },
        listens: async () => this.listening,
        cursorBeforeEnd: async () => undefined,
        read: async () => ({
          bytes: new Uint8Array(),
          cursor: { epoch: "e0", offset: 0 },
          missed: 0,
          hole: false,
          atEnd: true,
        }),
        times: async () => [],
      },
      cpuTime: () => this.#cpu,
      stuckAfterMs,
    });
    this.attention.onChange(({ says, why, detail, question, hasBegun }) => {
      const at = Math.round(this.clock.monotonic() - this.#began);
      const age = this.clock.now() - why.since;
      const more = [detail, question && `"${question.text}"${question.hash === "" ? " undrawn" : ""}`];
      const words = [says, "by", why.source, ...more, hasBegun ? undefined : "before it begins"];
      this.changes.push(`${at} ${words.filter((word) => word !== undefined).join(" ")}, ${age} old`);
    });
  }

  start(agent: Agent | undefined = undefined, known?: readonly Evidence<IdentifiedQuestion>[], more = {}): void {
    const now = this.clock.now();
    const place = { server: "1.1", pane: "%1", pid: 7, session: "$1" };
    const record = { id: "t1", host: "local", journal: "/j", place, createdAt: now, startedAt: now, ...more };
    this.attention.started(record as TerminalRecord, agent, known);
  }

  shows(line: string, title = this.#title): void {
    this.#line = line;
    this.#title = title;
    this.attention.output("t1");
  }

  /** The screen is another one, and nothing was printed: tmux reports output late, or not at all. */
  becomes(line: string): void {
    this.#line = line;
  }

  /** Prints a line without an end. */
  prompts(line: string): void {
    this.#line = line;
    this.attention.output("t1", { isOpenLine: true });
  }

  prints(old = false): void {
    this.attention.output("t1", { old });
  }

  says(witness: Witness, says: Says, text?: string): void {
    const question = text === undefined ? {} : { question: withHash(asked(text)) };
    this.attention.report("t1", { witness, says, at: this.clock.monotonic(), rule: witness, ...question });
  }

  answered(): void {
    this.attention.answered("t1", this.clock.monotonic());
  }

  usesCpu(ms: number): void {
    this.#cpu = (this.#cpu ?? 0) + ms;
  }

  isAway(away: boolean): void {
    this.#away = away;
  }

  /** Since the stage began. */
  get ms(): number {
    return this.clock.monotonic() - this.#began;
  }

  get status(): string {
    const now = this.attention.attention("t1");
    return `${now?.says} by ${now?.why.source}`;
  }
}
