import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { PanewardError, type Question } from "@paneward/sdk";
import { amount } from "../../../tmux/test/support/amount.ts";
import { fuzz, type Random } from "../../../tmux/test/support/random.ts";
import type { ShownQuestion } from "../../src/agents/agent.ts";
import { agentNamed } from "../../src/agents/registry.ts";
import type { TerminalRecord } from "../../src/model/records.ts";
import { AgentBook } from "../../src/runtime/agents/agent-book.ts";
import { HookAnswers } from "../../src/runtime/answering/hook-answers.ts";
import { waitForDecision } from "../../src/runtime/answering/hook-wait.ts";
import { respond } from "../../src/runtime/answering/respond.ts";
import { resumeAnswers } from "../../src/runtime/answering/resume-answers.ts";
import { Attention } from "../../src/runtime/attention/attention.ts";
import { isLeftByItsHook, restoredEvidence } from "../../src/runtime/attention/restored-evidence.ts";
import { Courier } from "../../src/runtime/courier/courier.ts";
import { Prompts } from "../../src/runtime/courier/prompts.ts";
import { Typist } from "../../src/runtime/courier/typist.ts";
import { applyVerdict } from "../../src/runtime/questions/apply-verdict.ts";
import { QuestionBook } from "../../src/runtime/questions/question-book.ts";
import { HookRequests } from "../../src/runtime/witnesses/hook-requests.ts";
import { Hooks } from "../../src/runtime/witnesses/hooks.ts";
import { openStore } from "../../src/store/store.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { afterwards, temporaryFolder } from "../support/folder.ts";
import { inForce } from "../support/in-force.ts";
import { ScriptedPane } from "../support/scripted-pane.ts";

type Behavior = "allow" | "deny";

/** One call of a tool: the agent takes the first decision that arrives, by a hook or by a key in its dialog. */
interface ToolCall {
  readonly command: string;
  readonly subagent: string;
  readonly decided: Behavior[];
  readonly hooks: AbortController[];
}

/** An agent in the manner of Claude Code: every call asks by its hooks at once, and its dialogs are drawn one by one. */
class Play {
  readonly clock = new FakeClock(100_000_000);
  readonly pane = new ScriptedPane(this.clock);
  readonly calls: ToolCall[] = [];
  readonly given: { readonly shown: Question; readonly behavior: Behavior; outcome: string }[] = [];
  readonly #random: Random;
  readonly #store;
  readonly #terminal: TerminalRecord;
  #daemon: ReturnType<Play["daemon"]>;
  #onScreen: ToolCall | undefined;

  constructor(t: TestContext, random: Random, database: string, readsScreen: boolean) {
    this.#random = random;
    this.#store = openStore(database, this.clock);
    afterwards(t, () => this.#store.close());
    this.pane.torn = !readsScreen;
    const now = this.clock.now();
    this.#terminal = {
      ...{
        id: "t1",
        name: "shop",
        host: "local",
        argv: ["claude"],
        cwd: "/",
        env: {},
        keep: true,
        columns: 100,
        rows: 30,
      },
      ...{ session: "s", journal: "j", phase: "running", place: this.pane.place, createdAt: now, startedAt: now },
    };
    this.#store.write((writer) => writer.putTerminal(this.#terminal));
    this.pane.terminals.onNews(() => {
      this.#takeKey();
      this.#daemon.attention.output("t1");
    });
    this.#daemon = this.daemon(true);
  }

  /** A daemon on the store and the pane that another one may have left. */
  daemon(isFirst: boolean) {
    const { clock, pane } = this;
    const store = this.#store;
    const log = { info() {}, warn() {}, error() {} };
    const times = { cursorBeforeEnd: async () => undefined, times: async () => [] };
    const read = async () => ({
      bytes: new Uint8Array(),
      cursor: { epoch: "e0", offset: 0 },
      missed: 0,
      hole: false,
      atEnd: true,
    });
    const terminals = { ...pane.terminals, ...times, read } as never;
    const attention = new Attention({ clock, log, terminals, cpuTime: () => undefined, stuckAfterMs: 600_000 });
    const [agents, questions] = [new AgentBook({ store, clock }), new QuestionBook({ store, clock })];
    const hookAnswers = new HookAnswers<ShownQuestion>();
    const requests = new HookRequests({ clock, attention, questions, waiting: hookAnswers });
    const [prompts, typist] = [new Prompts(clock), new Typist(pane.input, clock)];
    const configFor = async () => inForce();
    const world = { clock, log, store, terminals, configFor };
    const ask = async () => ({ kind: "unreached", reason: "none" }) as const;
    const servers = { known: async () => undefined, streamed: () => undefined, ask };
    const courier = new Courier({ ...world, attention, questions, agents, prompts, typist, servers });
    const deps = { ...world, attention, agents, questions, prompts, typist, courier, receipts: courier.receipts };
    const all = { ...deps, servers, hookAnswers, requests };
    const hooks = new Hooks(all, async () => undefined);
    attention.onChange((change) => applyVerdict(all, change));
    const stop = store.onEvents((events) => {
      for (const { type, data } of events) if (type === "question_closed") requests.closed(data.question, data.by);
    });
    const claude = agentNamed("claude", {});
    if (isFirst) {
      agents.began(this.#terminal, "claude", false);
      attention.started(this.#terminal, claude);
    } else {
      const question = questions.of("t1");
      const known = restoredEvidence(clock, question, agents.of("t1"), undefined);
      attention.started(this.#terminal, claude, known);
      if (question && isLeftByItsHook(question)) questions.close("t1", "the daemon ended while its hook waited");
      resumeAnswers(all);
    }
    return { ...all, hooks, stop };
  }

  /** Every call asks through one hook, or through two installations of it. */
  asks(command: string, subagent: string, sources: readonly string[]): void {
    const call: ToolCall = { command, subagent, decided: [], hooks: [] };
    this.calls.push(call);
    for (const source of sources) {
      const line = new AbortController();
      call.hooks.push(line);
      this.clock.timer(this.#random.below(300), () => void this.#hook(call, source, line));
    }
    this.clock.timer(this.#random.below(2_000), () => this.#draw());
  }

  async #hook(call: ToolCall, source: string, line: AbortController): Promise<void> {
    const daemon = this.#daemon;
    const payload = { session_id: "s1", cwd: "/", tool_name: "Bash", tool_input: { command: call.command } };
    const from = { kind: "claude", pane: "%1", tmux: "/tmp/tmux,1,0" };
    const more = call.subagent === "" ? {} : { agent_id: call.subagent };
    const report = { event: "PermissionRequest", payload: { ...payload, ...more }, ...from, source, waits: true };
    const outcome = await daemon.hooks.receive(report);
    assert.ok(outcome.status === "ok" && outcome.asked, JSON.stringify(outcome));
    const decision = await waitForDecision(daemon, { terminal: "t1", ...outcome.asked }, line.signal);
    if (decision && !line.signal.aborted && call.decided.length === 0) this.#decide(call, decision.behavior);
  }

  #decide(call: ToolCall, behavior: Behavior): void {
    call.decided.push(behavior);
    if (this.#onScreen === call) {
      this.#onScreen = undefined;
      this.pane.dialog = undefined;
    }
    this.clock.timer(this.#random.below(400), () => this.#draw());
    if (behavior === "deny") return;
    // Its tool runs, and its end is reported, late and by every installation.
    const payload = { session_id: "s1", cwd: "/", tool_name: "Bash", tool_input: { command: call.command } };
    const id = { tool_use_id: `use-${this.calls.indexOf(call)}`, ...(call.subagent && { agent_id: call.subagent }) };
    const from = { kind: "claude", pane: "%1", tmux: "/tmp/tmux,1,0" };
    for (const _ of call.hooks) {
      this.clock.timer(200 + this.#random.below(3_000), () => {
        void this.#daemon.hooks.receive({ event: "PostToolUse", payload: { ...payload, ...id }, ...from });
      });
    }
  }

  #draw(): void {
    if (this.#onScreen) return;
    this.#onScreen = this.calls.find(({ decided }) => decided.length === 0);
    if (this.#onScreen) this.pane.dialog = this.#onScreen.command;
  }

  #takeKey(): void {
    const call = this.#onScreen;
    if (!call || this.pane.dialog !== undefined) return;
    this.#onScreen = undefined;
    this.#decide(call, this.pane.answers.at(-1) === "1" ? "allow" : "deny");
  }

  /** A person looks at what is asked, and answers a while later. */
  looks(): void {
    const shown = this.#daemon.questions.of("t1");
    if (shown?.state !== "open" || shown.kind !== "permission") return;
    const behavior = this.#random.pick(["allow", "deny"] as const);
    const entry = { shown, behavior, outcome: "" };
    this.given.push(entry);
    this.clock.timer(this.#random.below(2_500), () => {
      const words =
        behavior === "allow" ? [{ option: 1 }, { text: "yes" }] : [{ option: 0 }, { deny: "" }, { text: "n" }];
      const input = { id: "t1", question: shown.id, ...this.#random.pick<object>(words) };
      respond(this.#daemon, input, { who: "ann", scope: "admin", door: "test" }).then(
        ({ status }) => {
          entry.outcome = status;
        },
        (error: Error) => {
          entry.outcome = error instanceof PanewardError ? error.code : String(error);
        },
      );
    });
  }

  /** The agent gives up on a hook, or it is killed. */
  hangsUp(): void {
    const lines = this.calls.flatMap(({ hooks }) => hooks).filter(({ signal }) => !signal.aborted);
    if (lines.length > 0) this.#random.pick(lines).abort();
  }

  /** Killed, without a word. Hooks that waited end without an answer, as their connections do. */
  restarts(): void {
    const before = this.#daemon;
    before.hookAnswers.close();
    before.courier.close();
    before.stop();
    before.attention.stop();
    for (const { hooks } of this.calls) for (const line of hooks) line.abort();
    this.#daemon = this.daemon(false);
    for (const entry of this.given) if (entry.outcome === "") entry.outcome = "cut off";
  }

  async ends(): Promise<void> {
    await this.clock.advance(20_000);
    for (const { hooks } of this.calls) for (const line of hooks) line.abort();
    await this.clock.advance(30_000);
    assert.equal(this.#daemon.hookAnswers.size, 0, "no hook hangs");
    this.#daemon.attention.stop();
  }
}

// The same, the beginning of another one, and pairs that look alike: by a blank, a line's end, or a sign of a frame.
const commands: readonly (readonly string[])[] = [
  ["make", "make", "make install", "rm -rf build"],
  ["rm -rf /tmp/x", "rm -rf / tmp/x", "make"],
  ["echo a # rm b", "echo a #\nrm b"],
  ["touch a\n\nrm [x]b", "touch a\n\nrm b"],
  ["echo a→b\nrm x", "echo a b\nrm x"],
  ["cat x│sh\nls", "cat xsh\nls"],
];

async function playOne(t: TestContext, random: Random, database: string, readsScreen: boolean): Promise<void> {
  const { below, pick } = random;
  const play = new Play(t, random, database, readsScreen);
  const calls = 2 + below(3);
  const words = pick(commands);
  const sources = pick([["settings"], ["settings", "plugin"]]);
  const moves = [
    ...Array.from({ length: calls }, () => () => play.asks(pick(words), pick(["", "", "sub"]), sources)),
    ...Array.from({ length: 4 + below(5) }, () => pick([() => play.looks(), () => play.looks(), () => play.hangsUp()])),
    ...(below(4) === 0 ? [() => play.restarts()] : []),
  ];
  for (let left = moves; left.length > 0; ) {
    const move = left[below(left.length)];
    left = left.filter((one) => one !== move);
    move?.();
    await play.clock.advance(below(1_500));
  }
  await play.ends();
  judge(play);
}

// Every answer that was taken decided one call of what was shown; every decision comes from an answer.
function judge({ calls, given }: Play): void {
  const story = JSON.stringify({
    given: given.map(({ shown, behavior, outcome }) => [shown.id, shown.proposal?.command, behavior, outcome]),
    calls: calls.map(({ command, subagent, decided }) => [command, subagent, decided]),
  });
  for (const { outcome } of given) {
    assert.ok(["ok", "conflict", "wrong_state", "outcome_unknown", "cut off", "bad_input"].includes(outcome), story);
  }
  const key = (command: string | undefined, behavior: Behavior) => `${behavior} ${command}`;
  const count = (keys: readonly string[], wanted: string) => keys.filter((one) => one === wanted).length;
  const decided = calls.flatMap(({ command, decided: by }) => by.map((behavior) => key(command, behavior)));
  const of = (...outcomes: readonly string[]) =>
    given
      .filter(({ outcome }) => outcomes.includes(outcome))
      .map(({ shown, behavior }) => key(shown.proposal?.command, behavior));
  for (const wanted of new Set([...decided, ...of("ok")])) {
    const most = count(of("ok", "outcome_unknown", "cut off"), wanted);
    assert.ok(count(decided, wanted) <= most, `${wanted} was decided without an answer: ${story}`);
    // Reports of two installations may be paired across identical calls: then a second decision can find its call decided.
    const mayMix = calls.filter(({ command, hooks }) => wanted.endsWith(` ${command}`) && hooks.length > 1).length > 1;
    const least = mayMix ? 0 : count(of("ok"), wanted);
    assert.ok(count(decided, wanted) >= least, `${wanted} was answered and not decided: ${story}`);
  }
  for (const { decided: by } of calls) assert.ok(by.length <= 1, story);
  const answers = new Map<string, number>();
  for (const { shown, outcome } of given) {
    if (outcome === "ok") answers.set(shown.id, (answers.get(shown.id) ?? 0) + 1);
  }
  for (const [question, times] of answers) assert.equal(times, 1, `${question} was answered twice: ${story}`);
}

for (const [how, readsScreen] of [
  ["and dialogs that are drawn", true],
  ["of a screen that cannot be read", false],
] as const) {
  test(`in every order of requests ${how}, an answer decides the one that was shown, once, or is refused`, async (t) => {
    let cases = 0;
    const folder = await temporaryFolder(t);
    await fuzz((random) => playOne(t, random, join(folder, `${++cases}.db`), readsScreen), amount(60, 5_000));
  });
}
