import { join } from "node:path";
import type { End, Question } from "@paneward/sdk";
import type { ShownQuestion } from "../../src/agents/agent.ts";
import { approveOrDeny } from "../../src/agents/approval.ts";
import { agentNamed } from "../../src/agents/registry.ts";
import type { AgentServer, ServerState } from "../../src/agents/server.ts";
import type { ServerRequest, ServerSaid } from "../../src/model/agents/agent-server.ts";
import { questionWords } from "../../src/model/agents/question-words.ts";
import type { DeliveryRecord, TerminalRecord } from "../../src/model/records.ts";
import { AgentBook } from "../../src/runtime/agents/agent-book.ts";
import { HookAnswers } from "../../src/runtime/answering/hook-answers.ts";
import { withHash } from "../../src/runtime/attention/question-identity.ts";
import { readScreen } from "../../src/runtime/attention/screen.ts";
import { Courier } from "../../src/runtime/courier/courier.ts";
import { Prompts } from "../../src/runtime/courier/prompts.ts";
import { Typist } from "../../src/runtime/courier/typist.ts";
import { QuestionBook } from "../../src/runtime/questions/question-book.ts";
import type { AgentServers } from "../../src/runtime/witnesses/agent-servers.ts";
import { HookRequests } from "../../src/runtime/witnesses/hook-requests.ts";
import { openStore } from "../../src/store/store.ts";
import { FakeClock } from "./fake-clock.ts";
import { afterwards, type Cleanup, temporaryFolder } from "./folder.ts";
import { inForce } from "./in-force.ts";
import { ScriptedPane } from "./scripted-pane.ts";

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** What the agent's other witnesses say, and its own server. */
interface Heard {
  asks: boolean;
  /** A screen of its was understood before. */
  understood: boolean;
  startedAt?: number;
  says: string;
  answered: number;
  /** An agent that takes prompts beside its input line: what it answers. */
  beside?: {
    readonly server: AgentServer;
    readonly state: ServerState;
    /** Its stream is not open. */
    isDown?: boolean;
    says(request: ServerRequest): ServerSaid | Promise<ServerSaid>;
  };
  server?: { asked: readonly string[]; readonly got: string[]; says(): ServerSaid };
}

/** The courier and the answering on one scripted pane, a fake clock and a real store: what takes seconds takes no time. */
export async function openStage(t: Cleanup, program = "claude") {
  const clock = new FakeClock();
  const began = clock.monotonic();
  const pane = new ScriptedPane(clock);
  const database = join(await temporaryFolder(t), "paneward.db");
  const store = openStore(database, clock);
  afterwards(t, () => store.close());
  const log = { info() {}, warn() {}, error() {} };
  const { terminals } = pane;
  const [agents, questions] = [new AgentBook({ store, clock }), new QuestionBook({ store, clock })];
  const prompts = new Prompts(clock);
  // Its hook reports each prompt.
  pane.onPrompt = (text) => prompts.match("t1", text, clock.now(), { way: "hook", as: "hook" });
  const typist = new Typist(pane.input, clock);
  const hookAnswers = new HookAnswers<ShownQuestion>();
  const requests = new HookRequests({ clock, attention: { report() {} }, questions, waiting: hookAnswers });
  store.onEvents((events) => {
    for (const { type, data } of events) if (type === "question_closed") requests.closed(data.question, data.by);
  });
  const heard: Heard = { asks: false, understood: true, says: "idle", answered: 0 };
  const attention = {
    asks: () => heard.asks,
    understands: () => heard.understood,
    startedAt: () => heard.startedAt,
    attention: () => ({ says: heard.says }) as never,
    answered: () => {
      heard.answered += 1;
    },
  };
  const answering = {
    answer: ({ id }: { readonly id: string }) => ({ method: "POST", path: `/answer/${id}` }),
    interrupt: () => ({ method: "POST", path: "/abort" }),
    reads: () => ({ told: { says: heard.says, rule: "" } }),
  } as unknown as AgentServer;
  const servers: Pick<AgentServers, "known" | "ask" | "streamed"> = {
    streamed: () => (heard.beside?.isDown ? undefined : heard.beside),
    known: async () => {
      if (heard.beside) return heard.beside;
      if (!heard.server) return undefined;
      const asked = heard.server.asked.map((id) => ({ id, session: "s1", kind: "permission", payload: {} }) as const);
      return {
        server: answering,
        state: { directory: "/", sessions: {}, current: "s1", latest: "s1", asked, given: [] },
      };
    },
    ask: async (_terminal, request) => {
      if (heard.beside) return heard.beside.says(request);
      heard.server?.got.push(request.path);
      return heard.server?.says() ?? { kind: "unreached", reason: "it has no server" };
    },
  };
  const configFor = async () => inForce();
  const world = { clock, log, store, terminals, configFor };
  const courier = () => new Courier({ ...world, attention, questions, agents, prompts, typist, servers });
  const first = courier();
  const terminal: TerminalRecord = {
    ...{
      id: "t1",
      name: "shop",
      host: "local",
      argv: [program],
      cwd: "/",
      env: {},
      keep: true,
      columns: 100,
      rows: 30,
    },
    ...{ session: "s", journal: "j", phase: "running", place: pane.place, createdAt: began, startedAt: began },
  };
  store.write((writer) => writer.putTerminal(terminal));
  const agent = program === "claude" ? agents.began(terminal, "claude", false) : undefined;
  const passed = () => clock.monotonic() - began;
  const news: string[] = [];
  store.onEvents((events) => {
    for (const { type, data } of events) {
      if (type !== "delivery_updated") continue;
      const { state, reason } = data;
      news.push(`${passed()} ${state}${reason === undefined ? "" : `: ${reason}`}`);
    }
  });
  const shown = () => readScreen(agentNamed(program, {}), pane.look()).question;

  return {
    ...world,
    ...{
      pane,
      agents,
      questions,
      prompts,
      typist,
      hookAnswers,
      requests,
      attention,
      servers,
      heard,
      agent,
      news,
      passed,
    },
    courier: first,
    database,
    receipts: first.receipts,
    caller: { who: "ann", scope: "admin", door: "test" } as const,
    /** Another daemon on the same store and the same pane. */
    nextCourier: courier,
    /** The program ends. */
    end(end: End = { kind: "exited", code: 0 }, more: Partial<TerminalRecord> = {}) {
      pane.ended = true;
      const { place: _place, ...rest } = terminal;
      store.write((writer) => writer.putTerminal({ ...rest, ...more, phase: "ended", end }));
      pane.print();
    },
    /** Opens the dialog for a command and records its question, as a look at the screen does. */
    asks(command: string, request?: string): Question {
      pane.dialog = command;
      const asked = shown();
      return recorded(asked && request !== undefined ? { ...asked, request } : asked);
    },
    /** A hook reports a question before its dialog is drawn. */
    reports(command: string, request?: string): Question {
      const asked = { kind: "permission", text: "Claude wants to use Bash", freeText: false, region: "" } as const;
      const of = request === undefined ? {} : { request };
      return recorded({ ...asked, options: approveOrDeny, proposal: { tool: "Bash", command }, ...of });
    },
    /** A look at the screen finds what it asks now. */
    looks(request?: string): void {
      const now = shown();
      const of = request === undefined ? {} : { request };
      if (now) questions.asked(terminal, withHash({ ...now, ...of }), "screen", agent?.id);
      else questions.close(terminal.id, "it is gone");
    },
    /** Runs a call on the fake clock and returns its outcome, whichever it is. */
    async outcome<Result>(call: Promise<Result>): Promise<Result | Error> {
      let done: { readonly is: Result | Error } | undefined;
      call.then(
        (is) => {
          done = { is };
        },
        (error: Error) => {
          done = { is: error };
        },
      );
      await clock.until("the call returns", () => done !== undefined);
      return (done as unknown as { readonly is: Result | Error }).is;
    },
    left(record: Partial<DeliveryRecord>): DeliveryRecord {
      const left: DeliveryRecord = {
        ...{ id: "d1", terminal: "t1", state: "queued", text: "hello", by: "ann", createdAt: began, updatedAt: began },
        ...{ number: 1, pid: pane.place.pid, unfinished: true },
        ...record,
      };
      store.write((writer) => writer.putDelivery(left));
      return left;
    },
  };

  function recorded(asked: ShownQuestion | undefined): Question {
    if (!asked) throw new Error("the screen asks nothing");
    questions.asked(terminal, withHash(asked), "screen", agent?.id);
    const open = questions.of(terminal.id);
    if (!open) throw new Error("no question is open");
    const said = { actor: "agent", intent: "question", way: "seen", text: questionWords(open) } as const;
    if (agent) agents.said(agent.id, { ...said, question: open.id });
    return open;
  }
}
