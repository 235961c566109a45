import { inQuery, pathParameters, routes } from "@paneward/sdk";
import type { Random } from "../../../../tmux/test/support/random.ts";
import { catalogue } from "../../../src/mcp/catalogue.ts";
import { sampleValue } from "../../support/sample-value.ts";
import { doorRequest } from "./fuzz-doors.ts";
import { type FuzzCall, fuzzCalls, subscriptionOf } from "./fuzz-input.ts";
import { fuzzSocket } from "./fuzz-socket.ts";
import { anyScope, type FuzzStage } from "./fuzz-stage.ts";
import { flipped, inheritedNames, jsonOf, mutated } from "./hostile.ts";
import type { WireAnswer, WireRequest, Wires } from "./wires.ts";

/** One attack through one door. */
export interface FuzzCase {
  readonly door: string;
  /** What is sent, for the report. */
  readonly sent: unknown;
  readonly run: () => Promise<WireAnswer>;
}

/** Attacks through every door, in a fixed mixture. */
export function fuzzCases(random: Random, stage: FuzzStage, wires: Wires): () => Promise<FuzzCase> {
  const nextCall = fuzzCalls(random, stage);
  // A body that was cut to nothing would be a good one.
  const nextRequest = (): WireRequest => {
    const call = nextCall();
    return call.name === "shutdown" ? nextRequest() : requestFor(random, call);
  };
  const makers: readonly (readonly [share: number, make: () => FuzzCase | Promise<FuzzCase>])[] = [
    [30, () => asked("unix", wires, nextRequest())],
    [24, () => linked(random, wires, nextCall())],
    [4, async () => asked("tcp", wires, await withToken(random, stage, nextRequest()))],
    [12, () => asked("hook", wires, hookRequest(random, stage))],
    [10, () => asked("v1", wires, teamRequest(random, stage))],
    [6, () => doorRequest(random, stage, wires)],
    [9, () => asked("mcp", wires, mcpRequest(random, stage, nextCall()))],
    [1, async () => asked("push", wires, await pushRequest(random, stage))],
    [2, () => fuzzSocket(random, stage)],
    [3, () => rawBytes(random, stage, wires, nextRequest())],
  ];
  const doors = makers.flatMap(([share, make]) => Array.from({ length: share }, () => make));
  return async () => random.pick(doors)();
}

function asked(door: string, wires: Wires, sent: WireRequest): FuzzCase {
  return { door, sent: { ...sent, body: sent.body?.toString().slice(0, 2_000) }, run: () => wires.ask(sent) };
}

let lastId = 0;

function linked(random: Random, wires: Wires, { name, input }: FuzzCall): FuzzCase {
  const id = ++lastId;
  const call = random.below(12) === 0 ? random.pick([...inheritedNames, "", "x".repeat(5_000)]) : name;
  const line = JSON.stringify({ id, call, input });
  return { door: "link", sent: line.slice(0, 2_000), run: () => wires.call(line, id) };
}

/** The request of a call, with path and query as texts. */
function requestFor(random: Random, { name, input }: FuzzCall): WireRequest {
  const route = routes[name];
  const fields = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : { input };
  const inPath = pathParameters(route.path);
  const path = route.path.replace(/\{(\w+)\}/g, (_, part: string) => encoded(fields[part]));
  const rest = Object.entries(fields).filter(([field, value]) => !inPath.includes(field) && value !== undefined);
  const method =
    random.below(40) === 0 ? random.pick(["PUT", "PATCH", "OPTIONS", "HEAD", "TRACE"]) : route.method.toUpperCase();
  const sent = { to: "unix" as const, method, headers: headersFor(random) };
  if (!inQuery(route)) return { ...sent, path, body: jsonOf(random, Object.fromEntries(rest)) };
  const query = rest.map(([field, value]) => `${field}=${encoded(value)}`).join("&");
  return { ...sent, path: query === "" ? path : `${path}?${query}` };
}

function encoded(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return encodeURIComponent(text.toWellFormed().slice(0, 6_000)) || "%20";
}

function headersFor(random: Random): Record<string, string> {
  const type =
    random.below(20) === 0
      ? random.pick(["text/plain", "application/json;x", "multipart/form-data", "x"])
      : "application/json";
  const headers: Record<string, string> = { "content-type": type };
  if (random.below(30) === 0) headers["content-encoding"] = random.pick(["gzip", "br", "deflate", "identity"]);
  if (random.below(30) === 0) headers["x-paneward-door"] = random.pick([...inheritedNames, "tui", "web"]);
  if (random.below(30) === 0) headers.expect = random.pick(["100-continue", "nonsense"]);
  return headers;
}

async function withToken(random: Random, stage: FuzzStage, sent: WireRequest): Promise<WireRequest> {
  const host = `127.0.0.1:${stage.daemon.port}`;
  const token =
    random.below(10) === 0 ? random.pick(["", "x", "pw_constructor_x"]) : await stage.token(random.pick(anyScope));
  // Some operations are for browsers that are logged in.
  const own = random.below(4) === 0 ? (await stage.browser()).headers : { authorization: `Bearer ${token}` };
  const foreign: Record<string, string> = random.pick([
    { host: "evil.example" },
    { origin: "null" },
    { origin: "http://evil.example" },
  ]);
  const strange = random.below(10) === 0 ? foreign : {};
  const cookie: Record<string, string> =
    random.below(10) === 0 ? { cookie: `paneward_${stage.daemon.port}=x; constructor=1` } : {};
  return {
    ...sent,
    to: "tcp",
    headers: { host, ...own, ...cookie, ...strange, ...sent.headers },
  };
}

/** Only browsers that are logged in get further than to the door of these. */
async function pushRequest(random: Random, stage: FuzzStage): Promise<WireRequest> {
  const { headers } = await stage.browser();
  const host = `127.0.0.1:${stage.daemon.port}`;
  const sent = { ...{ to: "tcp" as const, path: "/api/push" }, headers: { host, ...headersFor(random), ...headers } };
  const method = random.pick(["POST", "POST", "POST", "GET", "DELETE"]);
  if (method !== "POST") return { ...sent, method };
  return { ...sent, method, body: jsonOf(random, mutated(random, subscriptionOf(random, stage), 12)) };
}

const hookNames = ["session-start", "stop", "notification", "permission-request", "SessionEnd", "%00", "..", "x-y-z"];
const kinds = ["claude", "codex", "gemini", "opencode", "pi", "fuzz", "nobody"];
const hookEvents = [
  ...[
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PermissionRequest",
    "Notification",
  ],
  ...[
    "Stop",
    "StopFailure",
    "Interrupt",
    "BeforeAgent",
    "AfterAgent",
    "session.created",
    "permission.asked",
    "question.asked",
  ],
];

function hookRequest(random: Random, stage: FuzzStage): WireRequest {
  const some = <Value>(value: Value) => (random.below(2) === 0 ? undefined : value);
  const payload = {
    session_id: `s${random.below(5)}`,
    hook_event_name: some(random.pick([...hookEvents, ...inheritedNames])),
    cwd: some(stage.root),
    tmux_pane: random.pick([stage.pane.pane, stage.pane.pane, stage.pane.pane, "%999", undefined]),
    tmux: stage.pane.tmux,
    source: some("resume"),
    reason: some("clear"),
    prompt: some("Work"),
    message: some("It waits"),
    notification_type: some(random.pick(["permission_prompt", "idle_prompt", "ToolPermission"])),
    tool_name: some(random.pick(["Bash", "AskUserQuestion", "ExitPlanMode", "Edit"])),
    tool_input: { command: "ls", questions: [{ question: "Which?", options: [{ label: "One" }, { label: "Two" }] }] },
    last_assistant_message: some("Done"),
    background_tasks: some([{ status: "running" }]),
    error: some("429"),
    details: some({ title: "t", toolName: "x" }),
    timestamp: some(random.pick(["2026-01-01T00:00:00Z", "x"])),
  };
  const query = `?agent=${encoded(random.pick([...kinds, ...inheritedNames]))}${random.pick(["", "&wait=0.02", "&wait=x", "&format=agent"])}`;
  const name = random.pick([...hookNames, ...inheritedNames]);
  // Another socket would be asked for its panes by a tmux process.
  const sent = { ...(mutated(random, payload, 10) as object), tmux_socket: undefined };
  const safe =
    typeof sent === "object" && "tmux" in sent && typeof sent.tmux !== "string"
      ? { ...sent, tmux: stage.pane.tmux }
      : sent;
  return {
    to: "unix",
    method: "POST",
    path: `/hook/${name}${query}`,
    headers: headersFor(random),
    body: jsonOf(random, safe),
  };
}

/** Every route below /v1, with ID for each parameter (`fuzz-grammar.test.ts`). */
export const teamRoutes = [
  ...[
    "GET /teams",
    "POST /teams",
    "GET /teams/ID",
    "GET /tasks",
    "POST /tasks",
    "GET /tasks/ID",
    "POST /tasks/ID/claim",
  ],
  ...["POST /tasks/ID/renew", "POST /tasks/ID/complete", "POST /tasks/ID/fail", "GET /inbox", "GET /can-write"],
  ...[
    "POST /threads",
    "GET /threads/search",
    "GET /threads/ID/tail",
    "POST /threads/ID/messages",
    "POST /threads/ID/link",
  ],
  ...[
    "GET /workers",
    "POST /workers",
    "GET /workers/ID",
    "POST /workers/ID/send",
    "POST /workers/ID/answer",
    "POST /workers/ID/stop",
    "GET /ID",
  ],
];

function teamRequest(random: Random, stage: FuzzStage): WireRequest {
  const [method = "", pattern = ""] = random.pick(teamRoutes).split(" ");
  const path = `/v1${pattern.replace("ID", () => encoded(random.pick(["task_1", "th_1", "1", ...inheritedNames])))}`;
  const good = {
    ...{
      teamId: stage.team.id,
      agentId: "ann",
      title: "Work",
      description: "d",
      deps: [],
      resources: ["src"],
      epoch: 1,
    },
    ...{ participants: ["ann"], message: "hello", q: "work", path: "src/a.ts", action: "write", taskId: "task_1" },
    ...{
      session: "worker",
      workerId: "bob",
      cwd: stage.root,
      argv: [],
      text: "go",
      limit: 5,
      ttlMs: 1_000,
      agents: [{ id: "bob" }],
    },
  };
  const values = mutated(random, good, 20) as Record<string, unknown>;
  // Teams and their tmux servers are made for every new name.
  const sent =
    typeof values === "object" && values !== null ? { ...values, teamId: stage.team.id, wait: 0, ack: 0 } : values;
  const authorization = `Bearer ${random.below(10) === 0 ? random.pick(inheritedNames) : stage.team.token}`;
  const headers = {
    ...headersFor(random),
    authorization,
    ...(random.below(5) === 0 ? { "idempotency-key": `k${random.below(9)}` } : {}),
  };
  if (method !== "GET") return { to: "unix", method, path, headers, body: jsonOf(random, sent) };
  const query = Object.entries(sent ?? {})
    .slice(0, 12)
    .map(([name, value]) => `${name}=${encoded(value).slice(0, 500)}`);
  return { to: "unix", method, path: `${path}?${query.join("&")}`, headers };
}

const rpcMethods = [
  ...[
    "initialize",
    "ping",
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/get",
  ],
  ...["prompts/list", "completion/complete", "logging/setLevel", "resources/subscribe", "notifications/cancelled", "x"],
];

function mcpRequest(random: Random, stage: FuzzStage, { input }: FuzzCall): WireRequest {
  const isCall = random.below(2) === 0;
  const tool = random.pick(catalogue);
  const named = random.below(10) === 0 ? random.pick(inheritedNames) : tool.name;
  // Only what reads gets an input that it takes; the rest of the tools are attacked through their operations.
  const good = tool.hints.readOnlyHint ? sampleValue(tool.input, "input", "minimal") : { frob: input };
  const uri = `paneward://terminals/${random.pick(["t1", "reads", ...inheritedNames, "%zz", "a/b"])}/${random.pick(["screen", "journal", "x"])}`;
  const others = {
    ...{
      uri,
      name: random.pick(["paneward_guide", ...inheritedNames]),
      arguments: {},
      level: "debug",
      requestId: "none",
    },
    ...{ protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "fuzz", version: "1" } },
    ...{
      ref: { type: random.pick(["ref/resource", "ref/prompt"]), uri: "paneward://terminals/{id}/screen", name: "x" },
      argument: { name: "id", value: "t" },
    },
  };
  const params = isCall ? { name: named, arguments: mutated(random, quickly(good), 10) } : mutated(random, others, 12);
  const meta = random.below(3) === 0 ? { _meta: stateless } : {};
  const body = {
    jsonrpc: "2.0",
    // Few ids: some are under way already.
    id: random.below(10) > 0 ? random.below(20) : random.pick<unknown>([null, 0.5, `${random.below(20)}`, {}]),
    method: isCall ? "tools/call" : random.pick([...rpcMethods, ...inheritedNames]),
    params: Object.assign({}, meta, params),
  };
  const headers: Record<string, string> = {
    ...headersFor(random),
    accept: random.below(20) === 0 ? "text/html" : "application/json, text/event-stream",
    ...("_meta" in meta
      ? { "mcp-protocol-version": "2026-07-28", "mcp-method": body.method, ...(isCall ? { "mcp-name": named } : {}) }
      : {}),
    ...sessionFor(random, stage, "_meta" in meta),
  };
  const method = random.below(20) === 0 ? "PUT" : "POST";
  return {
    to: "unix",
    method,
    path: "/mcp",
    headers,
    body: jsonOf(random, random.below(15) === 0 ? [body, { ...body, id: random.below(20) }] : body),
  };
}

const stateless = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function sessionFor(random: Random, { mcpSession }: FuzzStage, isStateless: boolean): Record<string, string> {
  if (random.below(15) === 0) return { "mcp-session-id": random.pick(inheritedNames) };
  return isStateless ? {} : { "mcp-session-id": mcpSession };
}

function quickly(input: unknown): unknown {
  const fields = input as Record<string, unknown>;
  return {
    ...fields,
    ...("ids" in fields ? { ids: ["reads"], timeout: 0.02 } : {}),
    ...("id" in fields ? { id: "reads" } : {}),
  };
}

/** A request as bytes, some of them wrong, on a connection of its own. */
function rawBytes(random: Random, stage: FuzzStage, wires: Wires, sent: WireRequest): FuzzCase {
  const to = random.pick(["unix", "tcp"] as const);
  const odd = <Value>(usual: Value, others: readonly Value[]) => (random.below(4) > 0 ? usual : random.pick(others));
  const body = sent.body ?? Buffer.alloc(0);
  const method = odd(sent.method, ["CONNECT", "get", "\u0000", "PRI", "GET"]);
  const target = odd(sent.path, [...["//", "//[", "*", "http://[", "/%", "\\", "/v1/teams", "x"], ...upgradePaths]);
  const version = odd("1.1", ["1.0", "2.0", "9"]);
  const isDirect = to === "unix";
  const host = odd(isDirect ? "paneward" : `127.0.0.1:${stage.daemon.port}`, ["evil.example", "", "a b"]);
  const mark = isDirect ? ", paneward_direct\r\npaneward_direct: 1" : "";
  const upgrade = odd(
    isDirect ? `Connection: keep-alive${mark}\r\n` : "",
    ["websocket", "paneward-calls", "x"].map((name) => `Connection: Upgrade${mark}\r\nUpgrade: ${name}\r\n`),
  );
  const head = `${method} ${target} HTTP/${version}\r\nHost: ${host}\r\n${upgrade}${odd(lengthOf(body), oddLengths)}\r\n`;
  const whole = Buffer.concat([Buffer.from(head, "latin1"), body]);
  const cut = () => whole.subarray(0, random.below(whole.length));
  const bytes = odd(() => whole, [() => flipped(random, whole), cut, () => Buffer.concat([whole, whole])])();
  return { door: `raw ${to}`, sent: bytes.toString("latin1").slice(0, 2_000), run: () => wires.raw(to, bytes) };
}

const upgradePaths = ["/api/calls", "/api/events/ws", "/api/activity/ws", "/api/terminals/reads/stream"];

function lengthOf(body: Buffer): string {
  return body.length === 0 ? "" : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
}

const oddLengths = [
  "Content-Length: 99999999\r\n",
  "Content-Length: -1\r\n",
  "Content-Length: 1\r\nContent-Length: 2\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
  "Transfer-Encoding: gzip, chunked\r\n",
  `X: ${"x".repeat(20_000)}\r\n`,
];
