import { join } from "node:path";
import { type Config, type End, type EventType, placesOf } from "@paneward/sdk";
import type { PanePlace, TaskRecord, TerminalRecord } from "../../src/model/records.ts";
import type { Attention as Judged } from "../../src/model/status.ts";
import { AgentBook } from "../../src/runtime/agents/agent-book.ts";
import type { Attention } from "../../src/runtime/attention/attention.ts";
import { PlaceIndex } from "../../src/runtime/places.ts";
import type { ConfigInForce } from "../../src/runtime/ports.ts";
import { QuestionBook } from "../../src/runtime/questions/question-book.ts";
import type { World } from "../../src/runtime/world.ts";
import { openStore } from "../../src/store/store.ts";
import { FakeClock } from "./fake-clock.ts";
import { afterwards, type Cleanup, temporaryFolder } from "./folder.ts";
import { inForce } from "./in-force.ts";
import { MemoryTerminals } from "./memory-terminals.ts";

/** A world with a clock that a test moves, terminals in memory and the real store on a file that is gone afterwards. */
export async function memoryWorld(
  t: Cleanup,
  {
    config = {},
    project = {},
  }: { readonly config?: Partial<Config>; readonly project?: Partial<ConfigInForce["project"]> } = {},
) {
  const clock = new FakeClock();
  const store = openStore(join(await temporaryFolder(t), "paneward.db"), clock);
  afterwards(t, () => store.close());
  const terminals = new MemoryTerminals();
  const warnings: string[] = [];
  const removed: string[] = [];
  const world = {
    clock,
    store,
    terminals: terminals.port,
    places: placesOf({ HOME: "/home/me" }),
    env: { PATH: "/bin" },
    machine: {
      changedAt: async () => undefined,
      isFolder: () => true,
      boot: "boot-1",
      leftOf: () => [] as readonly number[],
    },
    restore: "ask",
    pushKey: { publicKey: "", path: "/home/me/push.key" },
    log: {
      info() {},
      warn: (message: string) => warnings.push(message),
      error: (message: string) => warnings.push(message),
    },
    files: {
      writePrivate: async () => {},
      writeNew: async () => {},
      replacePrivate: async () => {},
      text: async () => undefined,
      folders: async () => [],
      inside: async () => [],
      remove: async (path: string) => void removed.push(path),
    },
    configFor: async () => inForce(config, project),
  } as unknown as World;
  const attention = memoryAttention();
  const agents = new AgentBook({ store, clock });
  const questions = new QuestionBook({ store, clock });
  const terminalPlaces = new PlaceIndex();
  const deps = { ...world, attention: attention.port, agents, questions, terminalPlaces };
  return {
    ...{ deps, clock, store, terminals, attention, agents, questions, warnings, removed },
    /** Types of events with what they are about, such as `task_exited 1`; all, or those that begin like this. */
    events: (begin = ""): readonly string[] =>
      store.events(0, 10_000).flatMap(({ type, data }) => {
        const { terminal, task } = data as { readonly terminal?: string; readonly task?: number };
        return type.startsWith(begin) ? [[type, task ?? terminal].join(" ").trim()] : [];
      }),
    dataOf: (type: EventType): readonly unknown[] =>
      store.events(0, 10_000).flatMap((event) => (event.type === type ? [event.data] : [])),
  };
}

export type MemoryWorld = Awaited<ReturnType<typeof memoryWorld>>;

/** Attention that says what a test tells it to. */
function memoryAttention() {
  const says = new Map<string, Judged>();
  const log: string[] = [];
  const listeners: ((change: unknown) => void)[] = [];
  const port = {
    attention: (id: string) => says.get(id),
    lastOutputAt: () => undefined,
    onChange: (listener: (change: unknown) => void) => listeners.push(listener),
    started: ({ id }: TerminalRecord) => log.push(`started ${id}`),
    restarts: async ({ id }: TerminalRecord) => void log.push(`restarts ${id}`),
    output: (id: string, { old = false }: { readonly old?: boolean }) => log.push(`output ${id}${old ? " old" : ""}`),
    report: (id: string, { witness }: { readonly witness: string }) => log.push(`${witness} ${id}`),
    forget: (id: string) => log.push(`forget ${id}`),
    stop: () => log.push("stop"),
  };
  return {
    port: port as unknown as Attention,
    log,
    /** A new verdict about a terminal. */
    says(terminal: string, word: Judged["says"], detail?: Judged["why"]["detail"]): void {
      const why = { source: "test", rule: word, since: 0, ...(detail === undefined ? {} : { detail }) };
      says.set(terminal, { says: word, why });
      for (const listener of listeners) listener({ terminal, says: word, why, hasBegun: true });
    },
  };
}

export const runSpec = {
  ...{ name: "job", host: "local", argv: ["make", "all"], cwd: "/work", env: {}, keep: false, columns: 80, rows: 24 },
} as const;

/** A task that was prepared and has no terminal yet. */
export function putTask({ store, clock }: MemoryWorld, more: Partial<TaskRecord> = {}): TaskRecord {
  const task: TaskRecord = {
    ...{ id: 1, slug: "fix", root: "/repo", text: "fix it", agent: "claude", branch: "paneward/1-fix" },
    ...{ worktree: "/worktrees/1-fix", draft: false, hasWorktree: true, createdAt: clock.now() },
    ...more,
  };
  store.write((writer) => writer.putTask(task));
  return task;
}

/** A terminal that runs, in a pane of its own. */
export function putTerminal(world: MemoryWorld, more: Partial<TerminalRecord> = {}) {
  const { store, clock, deps } = world;
  return store.write((writer) => {
    const id = writer.nextTerminalId();
    const number = Number(id.slice(1));
    const place = { server: "server-1", pane: `%${number}`, pid: 100 + number, session: `$${number}` };
    const terminal = {
      ...runSpec,
      ...{ id, name: `job${number}`, session: `paneward-${id}-job`, journal: `${deps.places.journals}/${id}` },
      ...{ phase: "running", place, createdAt: clock.now(), startedAt: clock.now() },
      ...more,
    } as TerminalRecord & { readonly place: PanePlace };
    writer.putTerminal(terminal);
    return terminal;
  });
}

/** Its program ended, and the event says so. */
export function endTerminal({ store, clock }: MemoryWorld, id: string, end: End = { kind: "exited", code: 0 }): void {
  const { name, ...terminal } = store.terminal(id) as TerminalRecord;
  store.write((writer) => {
    writer.putTerminal({ ...terminal, name, phase: "ended", end, endedAt: clock.now() });
    writer.append("terminal_closed", { terminal: id, name, end });
  });
}
