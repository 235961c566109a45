import type { EventData, EventType, PanewardEvent } from "../../src/events.ts";
import type { Question, Status, Task, Terminal } from "../../src/shapes.ts";
import { afterEnd, judged } from "../../src/view/ends.ts";
import type { Lists } from "../../src/view/snapshot.ts";
import { event, question, task, terminal } from "./view-samples.ts";

/** A minimal daemon: it changes at random, emits each change once, and lists its state. */
export class ModelDaemon {
  readonly log: PanewardEvent[] = [];
  readonly #tasks = new Map<number, Task>();
  readonly #terminals = new Map<string, Terminal>();
  readonly #questions = new Map<string, Question>();
  readonly #random: (below: number) => number;
  #names = 0;

  constructor(random: (below: number) => number) {
    this.#random = random;
  }

  lists(): Lists {
    return {
      tasks: [...this.#tasks.values()],
      terminals: [...this.#terminals.values()],
      questions: [...this.#questions.values()],
      agents: [],
      lastEvent: this.log.length,
    };
  }

  /** One random change. */
  step(): void {
    const steps = [this.#create, this.#start, this.#status, this.#end, this.#complete, this.#remove, this.#open];
    const more = [this.#ask, this.#answer, this.#close, this.#refresh];
    const all = [...steps, ...more];
    all[this.#random(all.length)]?.call(this);
  }

  #create(): void {
    const id = ++this.#names;
    const made = task(id, "Draft");
    this.#tasks.set(id, made);
    this.#emit("task_created", { task: id, slug: made.slug, root: made.root, agent: made.agent, draft: true });
  }

  #start(): void {
    const one = this.#pick(this.#tasks, ({ status }) => status !== "Running");
    if (!one) return;
    const { end: _end, ...rest } = one;
    const inside = `t${++this.#names}`;
    this.#emit("task_started", { task: one.id, slug: one.slug, terminal: inside });
    this.#tasks.set(one.id, { ...rest, terminal: inside, ...judged("Running", "daemon", "started", 0) });
  }

  #status(): void {
    const one = this.#pick(this.#tasks, isAlive) ?? this.#pick(this.#terminals, isAlive);
    if (!one) return;
    const status = (["Running", "Idle", "Waiting"] as const)[this.#random(3)] ?? "Idle";
    const change = { status, before: one.status, why: { source: "output", rule: status, since: this.log.length } };
    if ("slug" in one) {
      this.#tasks.set(one.id, { ...one, status, why: change.why });
      this.#emit("task_status_changed", { task: one.id, slug: one.slug, ...change });
    } else {
      this.#terminals.set(one.id, { ...one, status, why: change.why });
      this.#emit("terminal_status_changed", { terminal: one.id, name: one.name, ...change });
    }
  }

  #end(): void {
    const one = this.#pick(this.#tasks, isAlive);
    if (!one) return;
    const code = this.#random(3);
    const end = { kind: "exited", code } as const;
    this.#tasks.set(one.id, { ...one, end, ...afterEnd(end, 0) });
    this.#emit("task_exited", { task: one.id, slug: one.slug, end });
  }

  #complete(): void {
    const one = this.#pick(this.#tasks, ({ status }) => status !== "Completed");
    if (!one) return;
    this.#tasks.set(one.id, { ...one, ...judged("Completed", "person", "", 0) });
    this.#emit("task_completed", { task: one.id, slug: one.slug, by: "me" });
  }

  #remove(): void {
    const one = this.#pick(this.#tasks, () => true);
    if (!one) return;
    this.#tasks.delete(one.id);
    this.#emit("task_removed", { task: one.id, slug: one.slug });
  }

  #open(): void {
    const made = terminal(`t${++this.#names}`, "Running");
    this.#terminals.set(made.id, made);
    this.#emit("terminal_opened", { terminal: made.id, name: made.name, argv: [], cwd: "/", restarted: false });
  }

  #close(): void {
    const one = this.#pick(this.#terminals, () => true);
    if (!one) return;
    if (isAlive(one)) {
      const end = { kind: "stopped", by: "me" } as const;
      this.#terminals.set(one.id, { ...one, end, ...afterEnd(end, 0) });
      this.#emit("terminal_closed", { terminal: one.id, name: one.name, end });
    } else {
      this.#terminals.delete(one.id);
      this.#emit("terminal_removed", { terminal: one.id, name: one.name });
    }
  }

  #ask(): void {
    const one = this.#pick(this.#terminals, isAlive);
    if (!one) return;
    const asked = question(`q${++this.#names}`, one.id);
    this.#questions.set(asked.id, asked);
    this.#emit("question_opened", { question: asked });
  }

  #answer(): void {
    const one = this.#pick(this.#questions, () => true);
    if (!one) return;
    this.#questions.delete(one.id);
    this.#emit("question_closed", { question: one, by: "me" });
  }

  #refresh(): void {
    this.#emit("tasks_changed", { reason: "asked for" });
  }

  #emit<Type extends EventType>(type: Type, data: EventData[Type]): void {
    this.log.push(event(this.log.length + 1, type, data));
  }

  #pick<Value>(from: ReadonlyMap<unknown, Value>, fits: (value: Value) => boolean): Value | undefined {
    const fitting = [...from.values()].filter(fits);
    return fitting[this.#random(fitting.length)];
  }
}

function isAlive({ status }: { readonly status: Status }): boolean {
  return status === "Running" || status === "Idle" || status === "Waiting";
}
