import { type Delivery, PanewardError, type Parsed } from "@paneward/sdk";
import type { Agent } from "../../agents/agent.ts";
import { sessionIn } from "../../agents/record.ts";
import type { AgentServer, ServerPrompting, ServerState } from "../../agents/server.ts";
import type { ServerRequest, ServerSaid } from "../../model/agents/agent-server.ts";
import { besideLine, isPrompt } from "../../model/courier/beside-line.ts";
import { type Arrival, type DeliverySteps, withPlainLineEnds } from "../../model/courier/delivery-plan.ts";
import { keysKind } from "../../model/courier/key-kinds.ts";
import { inItsShell, keyNeedsApproval } from "../../model/courier/needs-approval.ts";
import { isGuarded, isSecret, type Sight } from "../../model/courier/submission.ts";
import type { DeliveryContent, DeliveryRecord, TerminalRecord } from "../../model/records.ts";
import { blindMs, firstResultMs, witnessMs, wordsFirstMs } from "../../model/timing.ts";
import { agentIn, deliveryAgent } from "../agent-kind.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { Attention } from "../attention/attention.ts";
import type { Caller } from "../calls.ts";
import type { QuestionBook } from "../questions/question-book.ts";
import { resolveTerminal } from "../resolve.ts";
import { requireRunning } from "../running.ts";
import type { World } from "../world.ts";
import { reportWords } from "./acknowledge.ts";
import { deliver } from "./deliver.ts";
import { type Beside, typingSight, withKnown } from "./delivery-job.ts";
import { DeliveryLines } from "./delivery-lines.ts";
import type { KnownQuestion } from "./dialog-grace.ts";
import { requireWhole } from "./dialog-keys.ts";
import { typeLive } from "./live-keys.ts";
import { PaneNews } from "./pane-news.ts";
import type { Prompts } from "./prompts.ts";
import { Receipts, receipt, saysSomething } from "./receipts.ts";
import { recordTurn } from "./record-turn.ts";
import { requireApproval } from "./require-approval.ts";
import { requireSteps, runsShell } from "./require-steps.ts";
import { submitProfile } from "./submit-profile.ts";
import type { Typist } from "./typist.ts";
import { explainWaiting, hasHeld, isKeysOnly } from "./waiting-line.ts";

export interface CourierDeps extends Pick<World, "clock" | "log" | "store" | "terminals" | "configFor"> {
  readonly attention: Pick<Attention, "asks" | "attention" | "understands" | "startedAt">;
  readonly questions: Pick<QuestionBook, "of" | "drawnAt">;
  readonly agents: AgentBook;
  readonly prompts: Prompts;
  readonly typist: Typist;
  readonly servers: PromptServers;
}

/** The servers that agents run, as far as prompts go there. */
export interface PromptServers {
  /** Its state from its stream; undefined while that is not open. */
  streamed(terminal: string): Known | undefined;
  /** The same, asked for now if need be. */
  known(terminal: string): Promise<Known | undefined>;
  ask(terminal: string, request: ServerRequest): Promise<ServerSaid>;
}

interface Known {
  readonly server: AgentServer;
  readonly state: ServerState;
}

/** Delivers text and keys to terminals: one delivery at a time per terminal, each with a receipt. */
export class Courier {
  readonly receipts: Receipts;
  readonly #deps: CourierDeps;
  readonly #lines = new DeliveryLines();
  readonly #news: PaneNews;
  #closed = false;

  constructor(deps: CourierDeps) {
    this.#deps = deps;
    this.#news = new PaneNews(deps.terminals, deps.clock);
    this.receipts = new Receipts(deps);
    deps.prompts.onMatch(({ terminal, delivery, as, changed }) => {
      this.receipts.changed(delivery, changed);
      const place = deps.store.terminal(terminal)?.place;
      if (place) this.#news.wake(place);
      // It was queued by an agent that worked for long.
      if (deps.store.deliveryById(delivery)?.state !== "unknown") return;
      this.receipts.moved(delivery, "acknowledged", reportWords(as));
      deps.prompts.finished(delivery);
    });
  }

  /** Continues what an earlier daemon left: the mark in the pane says how far it got. */
  resume(): void {
    for (const record of this.#deps.store.unfinishedDeliveries()) {
      if (record.question === undefined) this.#enqueue(record, { resumed: true, ackMs: 0 });
    }
  }

  close(): void {
    this.#closed = true;
    this.receipts.close();
    this.#news.close();
  }

  async send(input: Parsed<"send">, caller: Caller): Promise<Delivery> {
    const { enter, force, command, idempotency_key: key, ack } = input;
    const text = withPlainLineEnds(input.text ?? "");
    if (!text.isWellFormed()) {
      throw new PanewardError("bad_input", "the text holds half of a character (a lone surrogate); nothing was typed", {
        hint: "cut texts between characters",
      });
    }
    const keys = this.#deps.terminals.checkKeys(input.keys ?? []);
    if (text === "" && keys.length === 0 && !enter) {
      throw new PanewardError("bad_input", "there is nothing to send: give a text or keys");
    }
    const terminal = resolveTerminal(this.#deps, input.id);
    const repeated = () => (key === undefined ? undefined : this.#deps.store.delivery(terminal.id, key));
    const before = repeated();
    if (before) return { ...(await this.#receiptOf(before.id, ack)), repeated: true };
    requireRunning(terminal);
    const agent = await deliveryAgent(this.#deps, terminal);
    const wish = { text, enter: enter && keys.length === 0, keys, force, ...(command && { command }) };
    const mayBeside = isPrompt(wish) && this.#prompting(terminal.id) !== undefined;
    if (!mayBeside) requireSteps(agent, wish);
    const seen = await this.#seen(terminal);
    const isBeside = mayBeside && besideLine(seen, wish).kind !== "keys";
    const changed = isBeside ? undefined : requireSteps(agent, wish).arrives.changed;
    // Another call with this key may have come during the look.
    const meanwhile = repeated();
    if (meanwhile) return { ...(await this.#receiptOf(meanwhile.id, ack)), repeated: true };
    // Keys into an agent's dialog are an answer, and what is typed at a password prompt or without echo is a secret. Both
    // are asked again right before each key.
    if (keys.length > 0) {
      requireApproval(caller.scope, keyNeedsApproval(seen, keysKind(keys, agent?.modeKeys), undefined));
      if (isGuarded(seen)) requireWhole(keys, seen, this.#deps.questions.of(terminal.id));
    }
    if (runsShell(agent, wish, seen)) requireApproval(caller.scope, inItsShell);
    const secret = isSecret(seen);
    const record = this.receipts.begin(requireRunning(this.#deps.store.terminal(terminal.id)), {
      ...{ wish, text: text === "" ? keys.join(" ") : text, by: caller.who, scope: caller.scope, secret },
      ...(key === undefined ? {} : { key }),
      ...(changed === undefined ? {} : { changed }),
    });
    this.#enqueue(record, { resumed: false, ackMs: ack * 1_000, seen });
    return this.#receiptOf(record.id, ack);
  }

  /** Its receipt: the last one, as far as that comes in time; without any time, the first that says something. */
  async #receiptOf(id: string, ack: number): Promise<Delivery> {
    const isWanted = (one: DeliveryRecord) =>
      !one.unfinished || (ack === 0 && saysSomething(one, this.receipts.wishOf(one)));
    return receipt(await this.receipts.when(id, isWanted, ack === 0 ? firstResultMs : ack * 1_000));
  }

  /**
   * Keys from a live view, without a receipt. They do not wait for whole deliveries, only for the act that is under way in
   * the pane: a delivery may be held just because this person is typing.
   */
  keys(id: string, bytes: string, caller: Pick<Caller, "scope">): Promise<void> {
    const terminal = requireRunning(resolveTerminal(this.#deps, id));
    const { host, place } = terminal;
    return this.#deps.typist.sequence({ host, place }, async (writer) => {
      requireRunning(this.#deps.store.terminal(terminal.id), place.pid);
      const agent = agentIn(this.#deps.store, terminal);
      await typeLive({ bytes, scope: caller.scope, agent, look: () => this.#seen(terminal) }, writer);
    });
  }

  async #seen(terminal: TerminalRecord): Promise<Sight> {
    const { host, place } = requireRunning(terminal);
    const seen = await typingSight(this.#deps.terminals, host, place, agentIn(this.#deps.store, terminal));
    return withKnown(seen, this.#known(terminal.id));
  }

  #enqueue(record: DeliveryRecord, begun: Begun): void {
    const { seen: _stale, ...later } = begun;
    const one = {
      isKeys: isKeysOnly(this.receipts.wishOf(record)),
      deliver: (waited: boolean) => this.#deliver(record, waited ? later : begun),
    };
    const isHeld = hasHeld(this.#deps.store, record.terminal);
    this.#lines.add(record.terminal, one, isHeld);
    if (isHeld) explainWaiting(this.#deps.store, this.receipts, record.terminal);
  }

  async #deliver(record: DeliveryRecord, { resumed, ackMs, seen }: Begun): Promise<void> {
    if (this.#closed) return;
    const { terminals, store, typist, clock, prompts, attention } = this.#deps;
    const screen = { isForeign: false };
    let unwatch = () => {};
    try {
      const terminal = requireRunning(store.terminal(record.terminal), record.pid);
      const wish = this.receipts.wishOf(record);
      if (!wish) throw new PanewardError("wrong_state", "the daemon ended before this secret was typed: send it again");
      unwatch = this.#news.watch(terminal.place);
      const agent = agentIn(store, terminal);
      const { host, place } = terminal;
      const profile = await submitProfile(this.#deps, agent?.submit);
      const typed = await deliveryAgent(this.#deps, terminal);
      const steps = () => requireSteps(typed, wish);
      const beside = this.#beside(record, wish, resumed, steps);
      await deliver({
        ...{ id: record.id, terminals, typist, clock, host, place, agent, profile, wish, resumed, seen, beside },
        // Not before it is typed: beside the input line goes what would be refused there.
        get steps() {
          return steps();
        },
        witnessMs: Math.max(witnessMs, ackMs),
        blindMs: Math.max(blindMs, ackMs),
        wordsFirstMs: this.#mayTell(terminal, agent) ? wordsFirstMs : 0,
        report: (state, reason, release) => {
          if (state === "submitted" || state === "acknowledged") recordTurn(this.#deps, record, agent);
          this.receipts.moved(record.id, state, screen.isForeign ? notUnderstood(reason) : reason, release);
          if (!hasHeld(store, record.terminal)) return;
          explainWaiting(store, this.receipts, record.terminal);
          this.#lines.letKeysPass(record.terminal);
        },
        hide: () => this.receipts.hide(record.id),
        check: () => {
          if (this.#closed) throw closed;
          requireRunning(store.terminal(record.terminal), record.pid);
        },
        pause: (ms) => this.#news.pause(place, ms),
        outputs: () => this.#news.outputs(place),
        scope: record.scope ?? "send",
        question: () => this.#deps.questions.of(record.terminal),
        ...this.#known(record.terminal),
        ageMs: () => clock.monotonic() - (attention.startedAt(record.terminal) ?? Number.NEGATIVE_INFINITY),
        isUnderstood: () => attention.understands(record.terminal),
        screen,
        submitting: () => {
          const isBeside = store.deliveryById(record.id)?.way === "http";
          const since = isBeside ? record.updatedAt : record.createdAt;
          const arrivals = isBeside ? [{ text: wish.text }] : [steps().arrives, ...steps().orElse];
          this.#expect(record, agent, arrivals, resumed ? since : undefined);
        },
        reportedBy: () => prompts.matched(record.id),
        otherWords: () => prompts.otherWords(record.id),
      });
      this.receipts.finished(record.id);
    } catch (error) {
      if (error !== closed) this.receipts.failed(record.id, error);
    } finally {
      unwatch();
      prompts.finished(record.id);
    }
  }

  #prompting(terminal: string): ServerPrompting | undefined {
    const { server, state } = this.#deps.servers.streamed(terminal) ?? {};
    return server?.prompting && state && server.prompting.reads(state) ? server.prompting : undefined;
  }

  /** Only while its events are heard, which are the witness of its words; a daemon that begins asks for its state. */
  #beside(
    { id, terminal, state, way: before }: DeliveryRecord,
    wish: DeliveryContent,
    resumed: boolean,
    steps: () => DeliverySteps,
  ): Beside | undefined {
    const { servers, prompts, store } = this.#deps;
    const record = store.terminal(terminal);
    const prompting = record && !record.adopted ? agentIn(store, record)?.server?.prompting : undefined;
    if (!prompting || !isPrompt(wish) || (!resumed && !this.#prompting(terminal))) return undefined;
    const ready = async () => {
      const known = await servers.known(terminal);
      const paths = known && prompting.reads(known.state);
      if (!paths) return undefined;
      const replies = await Promise.all(paths.map((path) => servers.ask(terminal, { method: "GET", path })));
      const answers = replies.flatMap((said) => (said.kind === "said" && said.status === 200 ? [said.body] : []));
      return answers.length === paths.length ? { state: known.state, answers } : undefined;
    };
    let way = before;
    return {
      wasSent: resumed && before === "http" && state !== "queued" && state !== "held",
      ready,
      request: prompting.request,
      ask: (request) => servers.ask(terminal, request),
      recall: async () => {
        for (const { text, at, called } of prompting.given((await ready())?.answers ?? [])) {
          prompts.match(terminal, text, at, { way: "event stream", as: "event stream", called });
        }
      },
      goes: (now) => {
        if (now === way) return;
        way = now;
        this.receipts.goes(id, now, now === "keys" ? steps().arrives.changed : undefined);
      },
    };
  }

  // A question is recorded when it can be read; what is typed before that would land in its dialog.
  #known(terminal: string): { asked(): KnownQuestion | undefined; works(): boolean; inTurn(): boolean } {
    const { questions, attention } = this.#deps;
    return {
      asked: () => {
        const question = questions.of(terminal);
        if (question) return { ...question, drawnAt: questions.drawnAt(question) };
        return attention.asks(terminal) ? undrawn : undefined;
      },
      works: () => attention.attention(terminal)?.says === "working",
      inTurn: () => {
        const { says, why } = attention.attention(terminal) ?? {};
        return says === "working" && turnWitnesses.has(why?.source ?? "");
      },
    };
  }

  // A hook was heard, or there is a record or an event stream to read.
  #mayTell({ id, argv, env, adopted }: TerminalRecord, agent: Agent | undefined): boolean {
    const { hookedAt, session_id: kept } = this.#deps.agents.of(id) ?? {};
    if (hookedAt !== undefined) return true;
    const session = kept ?? sessionIn(argv, agent?.session);
    const hasRecord = agent?.records?.some(({ head }) => session !== undefined || head !== undefined) === true;
    return hasRecord || (adopted !== true && agent?.server?.at(argv, env) !== undefined);
  }

  // A secret is kept nowhere, not even to be compared with.
  #expect(
    { id, terminal }: DeliveryRecord,
    agent: Agent | undefined,
    arrivals: readonly Arrival[],
    since: number | undefined,
  ): void {
    const { wish } = this.#deps.store.deliveryById(id) ?? {};
    const mayTell = agent && !agent.isShell;
    if (mayTell && wish)
      this.#deps.prompts.expect(terminal, id, arrivals, {
        since,
        behind: wish.force,
      });
  }
}

function notUnderstood(reason: string | undefined): string {
  return [...(reason === undefined ? [] : [reason]), "its screen is not understood"].join("; ");
}

/** Not output, which anything may print, nor what Paneward itself did. */
const turnWitnesses: ReadonlySet<string> = new Set([
  ...["hook", "extension", "event_stream", "state_file", "screen", "title", "osc"],
]);

interface Begun {
  readonly resumed: boolean;
  readonly ackMs: number;
  /** What the screen showed just now. */
  readonly seen?: Sight;
}

const undrawn: KnownQuestion = {
  kind: "permission",
  text: "something that is not drawn yet",
  screenHash: "",
  drawnAt: 0,
};

/** The daemon stops: the next one finishes what is under way. */
const closed = new Error("the courier was closed");
