import { type OperationName, operationNames } from "@paneward/sdk";
import type { Random } from "../../../../tmux/test/support/random.ts";
import { inputsOf } from "../../support/samples.ts";
import { channelName } from "./fuzz-notices.ts";
import { type FuzzStage, nowhere } from "./fuzz-stage.ts";
import { hostileValue, inheritedNames, mutated } from "./hostile.ts";

type Fields = Record<string, unknown>;

/** One operation with an input: good, or changed so that it breaks parsers. */
export interface FuzzCall {
  readonly name: OperationName;
  readonly input: unknown;
}

/**
 * Calls for every operation, made of its schema. What starts programs, makes worktrees or grows without end happens a few
 * times for real; after that the same calls come with an id, a folder or a host that does not exist.
 */
export function fuzzCalls(random: Random, stage: FuzzStage): () => FuzzCall {
  const samples = [inputsOf("full"), inputsOf("minimal")] as const;
  const left = new Map<OperationName, number>(Object.entries(forReal) as [OperationName, number][]);
  return () => {
    const name = random.pick(operationNames);
    const good = withKnown(random, stage, name, random.pick(samples)[name] as Fields);
    const given = random.below(4) === 0 ? good : mutated(random, good);
    if (typeof given !== "object" || given === null || Array.isArray(given)) return { name, input: given };
    const input = quick(given as Fields, name);
    const most = left.get(name);
    if (most === undefined) return { name, input };
    if (most > 0) {
      left.set(name, most - 1);
      return { name, input: harmless(stage, name, input) };
    }
    return { name, input: refused(random, stage, input) };
  };
}

/** How often an operation may take effect. */
const forReal: Partial<Readonly<Record<OperationName, number>>> = {
  shutdown: 0,
  ...{ run: 8, new: 6, start: 4, restart: 4, reset: 4, bootstrap: 6, merge: 6, undo: 6, adopt: 10, attach: 6, rm: 6 },
  ...{ stop: 4, send: 30, respond: 20, interrupt: 20, doctor: 5, hosts: 60, sessions: 200, refresh: 100, diff: 60 },
  ...{ capability: 40, team_open: 20, thread_start: 200, thread_post: 400, token_create: 30, login_link: 60 },
  ...{ screen: 600, complete: 40, focus: 400, notify_test: 30, attachment_add: 200 },
};

// Half of the ids exist; those of the fixtures are only given to what leaves them as they are.
function withKnown(random: Random, stage: FuzzStage, name: OperationName, sample: Fields): Fields {
  const id = () =>
    random.below(2) === 0
      ? random.pick(stage.readable)
      : random.pick([...inheritedNames, "t99", "%0", "a1", "q1", "0"]);
  const known: Fields = {
    ...("id" in sample ? { id: id() } : {}),
    ...("ids" in sample ? { ids: Array.from({ length: 1 + random.below(3) }, id) } : {}),
    ...("root" in sample ? { root: random.pick([stage.root, nowhere(stage)]) } : {}),
    ...("cwd" in sample ? { cwd: random.pick([stage.root, nowhere(stage)]) } : {}),
    ...("host" in sample ? { host: random.pick(["local", ...inheritedNames]) } : {}),
    ...("agent" in sample ? { agent: random.pick(["fuzz", "claude", ...inheritedNames]) } : {}),
    ...("argv" in sample ? { argv: ["true"] } : {}),
    ...("socket" in sample ? { socket: nowhere(stage) } : {}),
    ...("resume" in sample ? { resume: forgedToken(random) } : {}),
    ...("since" in sample
      ? { since: random.pick(["e1:0", "e1:99", "e9:1", "e1:5-5.1.1", "e1:9-9.9999.9999.9999.0ag"]) }
      : {}),
    ...("for" in sample ? { for: [condition(random)] } : {}),
    ...("params" in sample ? capabilityOf(random) : {}),
    ...(name === "notify_test"
      ? { id: random.pick([channelName, "pages", `${channelName}/x`, ...inheritedNames]) }
      : {}),
    ...(name === "push_subscribe" ? subscriptionOf(random, stage) : {}),
    ...(name === "attachment_add" ? fileOf(random) : {}),
    ...(name === "undo" ? { id: random.below(9) } : {}),
    ...("team" in sample ? { team: random.pick(["fuzz", "other", "default", ...inheritedNames]) } : {}),
  };
  return { ...sample, ...known };
}

/** What a browser tells of its push service. */
export function subscriptionOf(random: Random, { notices }: FuzzStage): Fields {
  const { endpoint, p256dh } = notices.subscription;
  const hosts = ["127.0.0.1", "127.0.0.1:1.", "[::1]:1", "evil.example", "push.apple.com", "x@127.0.0.1:1"];
  return {
    ...notices.subscription,
    endpoint: random.pick([endpoint, endpoint, ...hosts.map((host) => `https://${host}/`), "file:///etc/passwd"]),
    p256dh: random.pick([p256dh, p256dh, `${p256dh.slice(0, -2)}AA`, Buffer.alloc(65, 4).toString("base64url")]),
  };
}

function fileOf(random: Random): Fields {
  const contents = [
    "hello",
    "%PDF-1.7",
    "\x89PNG\r\n\x1a\n",
    "\xff\xfe",
    "RIFF0000WEBP",
    "\u001b[31m",
    "x".repeat(9_000),
  ];
  const names = [
    "../../x",
    "a/b\\c",
    ".bashrc",
    "-rf",
    "CON",
    "\u202egnp.exe",
    "x".repeat(900),
    "🙂.png",
    "a.".repeat(99),
    "",
  ];
  return { name: random.pick(names), data: Buffer.from(random.pick(contents), "latin1").toString("base64") };
}

function condition(random: Random): unknown {
  const pattern = random.pick([
    "^42$",
    "(a+)+b",
    "(",
    "\\p{L}+",
    "(?<=x)y",
    "x".repeat(500),
    "[",
    "(?:a|a)*$",
    ".*.*.*=.*",
  ]);
  return random.pick([{ kind: "idle" }, { kind: "exited" }, { kind: "needs_input" }, { kind: "output", pattern }]);
}

function forgedToken(random: Random): string {
  const progress = mutated(random, { done: [{ kind: "idle", id: "t1" }], cursors: { t1: "e1:5", reads: "e1:0" } }, 3);
  const token = Buffer.from(encodeURIComponent(JSON.stringify(progress) ?? "")).toString("base64");
  return random.below(4) === 0 ? token.slice(0, random.below(token.length)) : token;
}

const actions = [
  "init",
  "send",
  "read",
  "split",
  "list",
  "kill",
  "window",
  "wait",
  "record",
  "sync",
  "layout",
  "snapshot",
];

function capabilityOf(random: Random): Fields {
  const action = random.below(6) === 0 ? random.pick(inheritedNames) : random.pick(actions);
  const names = ["pane", "command", "lines", "pattern", "timeout", "idle", "mode", "name", "window", "host", "since"];
  const params = Object.fromEntries(
    Array.from({ length: random.below(4) }, () => [
      random.pick([...names, ...inheritedNames]),
      random.pick<unknown>([
        "0.0",
        "9.9",
        "",
        "true",
        1,
        1e9,
        "save",
        "x",
        "(a+)+b",
        "constructor",
        hostileValue(random),
      ]),
    ]),
  );
  const attributes = Object.entries(params).map(
    ([name, value]) => `${name}="${String(JSON.stringify(value)).slice(0, 200)}"`,
  );
  const text = `<capability name="tmux" action="${action}" ${attributes.join(" ")}${random.pick([" />", ">x</capability>", ">", ""])}`;
  return random.below(2) === 0 ? { text, action: undefined, params: undefined } : { text: undefined, action, params };
}

// A wait for longer than a moment would only make the test long.
function quick(input: Fields, name: OperationName): Fields {
  const soon = Object.fromEntries(
    ["timeout", "wait", "ack", "idle"].flatMap((field) => {
      const value = input[field];
      const isLong = (typeof value === "number" || typeof value === "string") && Number(value) > 0.05;
      return isLong && Number(value) <= 86_400 ? [[field, typeof value === "string" ? "0.02" : 0.02]] : [];
    }),
  );
  const absent = name === "wait" && input.timeout === undefined ? { timeout: 0.02 } : {};
  const params = input.params as Fields | undefined;
  const waits = name === "capability" && typeof params === "object" && params !== null && !Array.isArray(params);
  return { ...input, ...soon, ...absent, ...(waits ? { params: { ...params, timeout: 0.02 } } : {}) };
}

// What takes effect does so in the test's own folder.
function harmless(stage: FuzzStage, name: OperationName, input: Fields): Fields {
  const kept = ["stop", "rm", "restart", "reset", "send", "respond", "interrupt", "merge", "complete"].includes(name);
  return {
    ...input,
    ...(kept && input.id !== undefined ? { id: "ended" } : {}),
    ...(typeof input.root === "string" ? { root: stage.root } : {}),
    ...(name === "adopt" ? { socket: nowhere(stage) } : {}),
    ...(typeof input.argv === "object" ? { argv: ["true"] } : {}),
    ...(typeof input.host === "string" && input.host.startsWith("tmux:") ? { host: "nothing" } : {}),
  };
}

function refused(random: Random, stage: FuzzStage, input: Fields): Fields {
  const there = Object.fromEntries(
    [
      ["id", "nothing-there"],
      ["root", nowhere(stage)],
      ["host", "nothing-there"],
      ["socket", nowhere(stage)],
    ].filter(([field = ""]) => field in input),
  );
  const params = "params" in input || "text" in input ? { text: undefined, action: random.pick(inheritedNames) } : {};
  const isSure = "id" in there || "host" in there;
  return {
    ...input,
    ...there,
    ...params,
    ...(isSure && random.below(2) === 0 ? {} : { frob: hostileValue(random) ?? 1 }),
  };
}
