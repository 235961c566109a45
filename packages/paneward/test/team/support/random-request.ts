import type { Random } from "../../../../tmux/test/support/random.ts";
import type { RawRequest } from "../../http/support/ask.ts";

/** Where random requests find valid names and tokens. */
export interface Known {
  readonly tokens: readonly string[];
  readonly teams: readonly string[];
  readonly tasks: readonly string[];
  readonly threads: readonly string[];
  readonly maxBody: number;
}

/** One request to /v1: mostly well formed, with some parts replaced by what breaks parsers. */
export function randomRequest(random: Random, known: Known): RawRequest {
  const [method, path] = randomRoute(random, known);
  const values = randomValues(random, known);
  const query = often(random, method === "GET") ? queryOf(random, values) : "";
  const body = often(random, method !== "GET") ? randomBody(random, values, known.maxBody) : undefined;
  return { method, path: `${path}${query}`, headers: randomHeaders(random, known), ...(body ? { body } : {}) };
}

const routes = [
  ...["GET /teams", "POST /teams", "GET /teams/TEAM", "GET /tasks", "POST /tasks", "GET /tasks/TASK"],
  ...["POST /tasks/TASK/claim", "POST /tasks/TASK/renew", "POST /tasks/TASK/complete", "POST /tasks/TASK/fail"],
  ...["GET /inbox", "GET /can-write", "POST /threads", "GET /threads/search", "GET /threads/THREAD/tail"],
  ...["POST /threads/THREAD/messages", "POST /threads/THREAD/link", "GET /workers", "POST /workers"],
  ...[
    "GET /workers/WORKER",
    "POST /workers/WORKER/send",
    "POST /workers/WORKER/answer",
    "POST /workers/WORKER/stop",
    "GET /",
    "GET /nothing",
  ],
];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "PROPFIND"];
const hostileIds = ["..%2f..%2fetc", "%00", "%ff", "%zz", "%1b%5b31m", "a%20b", "", ".", "%2e%2e", "__proto__"];
const workers = ["worker1", "worker2", "a%20session", "constructor"];

function randomRoute(random: Random, known: Known): readonly [method: string, path: string] {
  const [method = "GET", path = "/"] = random.pick(routes).split(" ");
  const id = (names: readonly string[]) =>
    rarely(random) ? random.pick([...hostileIds, "x".repeat(6_000)]) : random.pick(names);
  const filled = path
    .replace("TEAM", () => id(known.teams))
    .replace("TASK", () => id(known.tasks))
    .replace("THREAD", () => id(known.threads))
    .replace("WORKER", () => id(workers));
  const encoded = rarely(random) ? filled.replace("t", "%74") : filled;
  return [rarely(random) ? random.pick(methods) : method, `/v1${rarely(random) ? "/" : ""}${encoded}`];
}

const hostileValues: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER, "", " ", "0", "-1", "1e3", "0x10", "9".repeat(15)],
  ...[[], [1], ["a", null], [["a"]], {}, { id: "x" }, { toString: "x" }, "\u0000", "\u001b[31m", "\ud800", "../x"],
  ...["__proto__", "constructor", "x".repeat(101), "x".repeat(5_000), "日本", "%", "seen", "'; DROP TABLE teams; --"],
];

/** A value for every field that some route reads. */
function randomValues(random: Random, known: Known): Record<string, unknown> {
  const agent = () => random.pick(["ann", "bob", "lead"]);
  const values: Record<string, unknown> = {
    ...{ agentId: agent(), title: "Work", resources: [random.pick(["src/", "docs", "."])], epoch: random.below(3) },
    ...{ message: "hello", q: "work", path: "src/a.ts", taskId: random.pick(known.tasks), participants: [agent()] },
    ...{ session: random.pick(["worker1", "worker2", "a session"]), workerId: agent(), cwd: "/", text: "go" },
  };
  if (random.below(2) === 0) values.teamId = random.pick(known.teams);
  if (rarely(random)) values.threadId = random.pick(known.threads);
  if (rarely(random)) values.deps = [random.pick(known.tasks)];
  if (rarely(random)) values.agents = [{ id: agent(), role: "worker" }];
  const names = [
    ...Object.keys(values),
    "deps",
    "agents",
    "ttlMs",
    "since",
    "ack",
    "limit",
    "action",
    "argv",
    "role",
    "option",
    "except",
    "waits",
  ];
  for (let left = random.below(3); left > 0; left--) values[random.pick(names)] = random.pick(hostileValues);
  // A request that waits would only end when its time is over.
  if (rarely(random)) values.wait = random.pick(["0", 0, "-1", "x", [], null]);
  return values;
}

function queryOf(random: Random, values: Record<string, unknown>): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${encoded(value)}`);
  if (rarely(random))
    pairs.push(random.pick(["agentId=twice", "__proto__=x", "%zz=%ff", "&&=", "constructor=x", "a[]=1"]));
  return `?${pairs.join("&")}`;
}

function encoded(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed()).slice(0, 1_000);
}

function randomBody(random: Random, values: Record<string, unknown>, maxBody: number): Buffer {
  const json = JSON.stringify(values);
  const whole = Buffer.from(json);
  if (!rarely(random)) return whole;
  return random.pick<() => Buffer>([
    () => whole.subarray(0, random.below(whole.length)),
    () => Buffer.concat([whole, whole]),
    () => Buffer.from(json.replace("Work", "W\u0000rk")),
    () => Buffer.from(`\ufeff${json}`),
    () => Buffer.from([...Buffer.from('{"title":"'), 0xff, 0xc3, 0x28, ...Buffer.from('"}')]),
    () => Buffer.from(json.replace("{", '{"__proto__":{"teamId":"blue"},"constructor":1,')),
    () => Buffer.from(json.replace("{", `{"deep":${"[".repeat(8_000)}${"]".repeat(8_000)},`)),
    () => Buffer.from(JSON.stringify({ ...values, title: "x".repeat(maxBody + random.below(maxBody)) })),
    () => Buffer.from(random.pick(["[]", "null", '"x"', "3", "true", "\u0000", " \r\n\t", "{}{}", "NaN"])),
  ])();
}

function randomHeaders(random: Random, known: Known): Record<string, string> {
  const headers: Record<string, string> = {};
  const wrong = ["Bearer x", "Bearer", "Basic eDp5", `Bearer ${"x".repeat(500)}`, "bearer  two words"];
  if (random.below(20) > 0) {
    headers.authorization = rarely(random) ? random.pick(wrong) : `Bearer ${random.pick(known.tokens)}`;
  }
  if (random.below(3) === 0)
    headers["idempotency-key"] = random.pick(["k1", "k2", "k3", "", "x".repeat(201), "k\u00e9y"]);
  if (rarely(random)) headers["transfer-encoding"] = "chunked";
  if (rarely(random)) headers["content-type"] = random.pick(["text/plain", "application/json", "x"]);
  return headers;
}

function rarely(random: Random): boolean {
  return random.below(6) === 0;
}

function often(random: Random, isUsual: boolean): boolean {
  return isUsual ? random.below(10) > 0 : random.below(4) === 0;
}
