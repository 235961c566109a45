import { randomBytes } from "node:crypto";
import type { Question } from "@paneward/sdk";
import type { ShownQuestion } from "../../agents/agent.ts";
import {
  afterHook,
  type HookMoment,
  type HookRequest,
  hookRequestId,
  openRequests,
  sameRequest,
} from "../../model/agents/hook-order.ts";
import type { Attention } from "../attention/attention.ts";
import { type IdentifiedQuestion, withHash } from "../attention/question-identity.ts";
import type { Clock } from "../ports.ts";
import { type QuestionBook, tookItsPlace } from "../questions/question-book.ts";

export interface RequestDeps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly attention: Pick<Attention, "report">;
  readonly questions: Pick<QuestionBook, "of" | "close">;
  /** The hooks that wait for a request. */
  readonly waiting: { gone(request: string): void };
}

type Request = HookRequest<IdentifiedQuestion>;

/** A report of a hook that asks. */
export interface Asking {
  readonly tool: string;
  readonly agent: string;
  readonly source: string;
  readonly waits: boolean;
  readonly rule: string;
  readonly question: ShownQuestion;
}

/**
 * What the agents' hooks ask, each request by its own id. A terminal may have several; attention hears of all of them, and
 * the one that is drawn, or else the oldest, becomes the question. A request that is over closes its question, and its
 * hooks are let go.
 */
export class HookRequests {
  readonly #deps: RequestDeps;
  readonly #of = new Map<string, readonly Request[]>();

  constructor(deps: RequestDeps) {
    this.#deps = deps;
  }

  /** A hook asks. Returns the id of its request. */
  asked(terminal: string, asking: Asking): string {
    const requests = this.#all(terminal);
    const same = sameRequest(requests, asking);
    const request = same ? again(same, asking) : this.#new(asking);
    this.#set(terminal, same ? requests.map((one) => (one === same ? request : one)) : [...requests, request]);
    this.#report(terminal);
    return request.id;
  }

  /** A hook that asks nothing. Returns whether it speaks for the agent: none of its requests is open any more. */
  after(terminal: string, hook: HookMoment): boolean {
    const before = this.#all(terminal);
    const left = afterHook(before, hook);
    this.#set(terminal, left);
    const over = before.filter((one) => !left.includes(one));
    for (const { id } of over) this.#over(terminal, id, "the program continued");
    if (!this.isAsking(terminal)) return true;
    if (over.length > 0) this.#report(terminal);
    return false;
  }

  /** Whether a request waits for a person. */
  isAsking(terminal: string): boolean {
    return openRequests(this.#all(terminal)).length > 0;
  }

  /** Its hook was given this answer. */
  decided(terminal: string, id: string, behavior: "allow" | "deny"): void {
    const requests = this.#all(terminal);
    // A tool that was denied does not run, so that nothing reports its end.
    this.#set(
      terminal,
      behavior === "allow"
        ? requests.map((one) => (one.id === id ? { ...one, approved: true } : one))
        : requests.filter((one) => one.id !== id),
    );
  }

  /**
   * The last hook that waited for it ended without an answer: its time is over, or its agent hung up. What was never drawn
   * cannot be answered any more; a dialog that is drawn takes keys.
   */
  ended(terminal: string, id: string): void {
    const found = openRequests(this.#all(terminal)).find((one) => one.id === id);
    if (!found) return;
    this.#drop(terminal, id);
    const question = this.#deps.questions.of(terminal);
    const wasAsked = question?.request === id;
    if (wasAsked && question.screenHash === "" && question.state === "open") {
      this.#deps.questions.close(terminal, endedUnanswered);
    }
    if (this.isAsking(terminal)) this.#report(terminal);
    // Its dialog may still be open on a screen that cannot be read.
    else this.#reportNone(terminal, wasAsked ? "needs_input" : "unknown", `${found.rule}; ${endedUnanswered}`);
  }

  /** A question was closed. One that waits in line behind another dialog stays a request. */
  closed({ terminal, request, screenHash }: Question, by: string): void {
    if (request === undefined || (by === tookItsPlace && screenHash === "")) return;
    if (!openRequests(this.#all(terminal)).some(({ id }) => id === request)) return;
    this.#drop(terminal, request);
    this.#deps.waiting.gone(request);
    // The verdict that closed it is being reported: the next request comes after it.
    queueMicrotask(() => {
      if (this.isAsking(terminal)) this.#report(terminal);
      else this.#reportNone(terminal, "unknown", "what it asked is over");
    });
  }

  /** What still waits, after an answer ended all evidence from before. */
  remind(terminal: string): void {
    if (this.isAsking(terminal)) this.#report(terminal);
  }

  #new({ tool, agent, source, waits, rule, question }: Asking): Request {
    const id = question.request ?? hookRequestId(randomBytes(9).toString("base64url"));
    const asked = withHash({ ...question, request: id });
    const at = this.#deps.clock.monotonic();
    return { id, tool, agent, at, rule, asked, sources: [source], waits, approved: false };
  }

  #over(terminal: string, id: string, by: string): void {
    const question = this.#deps.questions.of(terminal);
    if (question?.request === id && question.state === "open") this.#deps.questions.close(terminal, by);
    this.#deps.waiting.gone(id);
  }

  #report(terminal: string): void {
    const [first, ...others] = openRequests(this.#all(terminal));
    if (!first) return;
    this.#deps.attention.report(terminal, {
      ...{ witness: "hook", says: "needs_input", at: this.#deps.clock.monotonic(), rule: first.rule },
      question: first.asked,
      ...(others.length > 0 && { others: others.map(({ asked }) => asked) }),
    });
  }

  #reportNone(terminal: string, says: "needs_input" | "unknown", rule: string): void {
    this.#deps.attention.report(terminal, { witness: "hook", says, at: this.#deps.clock.monotonic(), rule });
  }

  #drop(terminal: string, id: string): void {
    this.#set(
      terminal,
      this.#all(terminal).filter((one) => one.id !== id),
    );
  }

  #all(terminal: string): readonly Request[] {
    return this.#of.get(terminal) ?? [];
  }

  #set(terminal: string, requests: readonly Request[]): void {
    if (requests.length === 0) this.#of.delete(terminal);
    else this.#of.set(terminal, requests);
  }
}

const endedUnanswered = "its hook ended without an answer";

function again(request: Request, { source, waits }: Asking): Request {
  return { ...request, sources: [...request.sources, source], waits: request.waits || waits };
}
