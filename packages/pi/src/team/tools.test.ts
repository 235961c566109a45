import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { PiContext } from "../pi/api.ts";
import type { TeamContext } from "./context.ts";
import { ToolFailure } from "./failure.ts";
import { guard } from "./guard.ts";
import { membershipOf } from "./membership.ts";
import { lineOf } from "./news.ts";
import { realTarget } from "./real-path.ts";
import { chooseSession, parseSessions, safePrefix } from "./session-names.ts";
import { workerEnvironment } from "./settings.ts";
import { taskTools } from "./task-tools.ts";
import { TeamTmux } from "./team-tmux.ts";
import { threadTools } from "./thread-tools.ts";
import { type Ran, runTmux } from "./tmux-runner.ts";
import { tmuxTools } from "./tmux-tools.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pw-team-")));
after(() => rmSync(folder, { recursive: true, force: true }));
const socket = join(folder, "tmux.sock");
const head = ["-f", "/dev/null", "-S", socket];
const rule = "─".repeat(40);
const idle = `0\n${rule}\n\n${rule}\n`;
const ctx = { cwd: folder, hasUI: false } as PiContext;
const secrets = {
  PI_TEAMD_URL: "u",
  PI_TEAMD_TOKEN: "secret",
  PI_TEAMD_TOKEN_FILE: "f",
  OPENAI_API_KEY: "key",
  OTHER: "x",
};

const sessionsOf = (...names: readonly string[]) => names.map((name) => `${name} 1 1700000000 - - /\n`).join("");

interface Asked {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: string | undefined;
}

/** The tools with a scripted tmux and teamd. */
function scripted(
  options: {
    sessions?: string;
    allow?: string;
    tmux?: (argv: readonly string[]) => Partial<Ran> | undefined;
    /** The codes with which requests to these paths fail. */
    fails?: Readonly<Record<string, string>>;
    screen?: string;
  } = {},
) {
  const ran: { argv: readonly string[]; env: Readonly<Record<string, string>>; input: string | undefined }[] = [];
  const asked: Asked[] = [];
  const runner = async (argv: readonly string[], env: Readonly<Record<string, string>>, input?: string) => {
    ran.push({ argv, env, input });
    const own = options.tmux?.(argv);
    const stdout = argv.includes("list-sessions")
      ? (options.sessions ?? "")
      : argv.includes("#{pane_dead}")
        ? (options.screen ?? idle)
        : "";
    return { code: 0, stdout, stderr: "", ...own };
  };
  const answer = (path: string): unknown => {
    if (path === "/v1/can-write") return { allow: options.allow === undefined, reason: options.allow ?? "" };
    if (path === "/v1/threads") return { thread: { id: "thread-0007" } };
    if (/^\/v1\/workers\/[^/]+$/.test(path)) return { worker: {} };
    return path.endsWith("/send") ? { delivery: { state: "acknowledged" } } : {};
  };
  const ask = async (path: string, body: object = {}, more: { key?: string | undefined } = {}) => {
    asked.push({ path, body: body as Asked["body"], key: more.key });
    const code = options.fails?.[path];
    if (code !== undefined) throw new ToolFailure(code, "as scripted");
    return answer(path);
  };
  const env = { PATH: "/bin", HOME: folder, ...secrets };
  const context: TeamContext = {
    membership: { teamId: "demo", agentId: "lead", isWorker: false },
    teamd: { get: ask as never, post: ask as never },
    tmux: new TeamTmux(socket, runner, env),
    settings: { env: ["OPENAI_API_KEY", "PI_TEAMD_TOKEN", "MISSING"], cmd: ["pi"] },
    leases: { held: () => {}, gone: () => {} },
  };
  const tools = [...taskTools(context), ...threadTools(context), ...tmuxTools(context)];
  const call = async (name: string, params: object, id = "call-1", signal?: AbortSignal) => {
    const found = tools.find((tool) => tool.name === name);
    const { details } = (await found?.execute(id, params as never, signal, undefined, ctx)) ?? {};
    return details as Record<string, unknown>;
  };
  return { tools, call, ran, asked, context };
}

describe("the tools", () => {
  test("have the documented names, and object schemas without extra properties", () => {
    const { tools } = scripted();
    const names = [
      ...["create", "claim", "renew", "complete", "fail", "list"].map((name) => `team_tasks_${name}`),
      ...["start", "post", "read_tail", "search", "link_to_task"].map((name) => `team_threads_${name}`),
      ...["start", "list", "attach", "capture", "send", "answer", "wait", "stop"].map((name) => `team_tmux_${name}`),
    ];
    assert.deepEqual(
      tools.map(({ name }) => name),
      names,
    );
    for (const { name, parameters } of tools) {
      assert.match(name, /^[a-zA-Z0-9_-]+$/);
      const schema = JSON.parse(JSON.stringify(parameters));
      assert.deepEqual([schema.type, schema.additionalProperties], ["object", false], name);
    }
  });

  test("start: server with a small environment, session by argv, a thread, the first message, the prompt", async () => {
    const { call, ran, asked } = scripted({
      sessions: sessionsOf("worker1", "worker4", "paneward-keeper"),
    });
    const answer = await call("team_tmux_start", { taskPrompt: "Fix it", title: "Fixing" });
    assert.deepEqual(
      [answer.sessionName, answer.created, answer.threadId, answer.delivered],
      ["worker5", true, "thread-0007", "acknowledged"],
    );
    const [, server, session] = ran;
    assert.deepEqual(server?.argv.slice(0, 6), [...head, "start-server", ";"]);
    assert.deepEqual(Object.keys(server?.env ?? {}).sort(), ["HOME", "PATH"]);
    const made = session?.argv ?? [];
    assert.deepEqual(made.slice(0, 4), head);
    const from = made.indexOf("new-session");
    assert.deepEqual(made.slice(from, made.indexOf(";", from)), [
      ...["new-session", "-d", "-s", "worker5", "-n", "worker5", "-x", "200", "-y", "50", "-c", folder],
      ...[
        "-e",
        "PI_TEAM_ID=demo",
        "-e",
        "PI_AGENT_ID=worker5",
        "-e",
        "PI_TEAM_ROLE=worker",
        "/usr/bin/env",
        "--",
        "pi",
      ],
    ]);
    assert.ok(made.includes("remain-on-exit") && made.includes("@pi_tool_call"));
    assert.deepEqual(session?.env, { OPENAI_API_KEY: "key", PATH: "/bin", HOME: folder });
    assert.ok(
      !JSON.stringify(ran.map(({ argv }) => argv)).includes("secret") && !JSON.stringify(made).includes('"key"'),
    );
    const paths = asked.map(({ path }) => path);
    assert.deepEqual(paths, [
      "/v1/can-write",
      "/v1/threads",
      "/v1/workers",
      "/v1/threads/thread-0007/messages",
      "/v1/workers/worker5/send",
    ]);
    assert.deepEqual(asked[1]?.body, { title: "Fixing", participants: ["worker5"] });
    assert.match(String(asked[3]?.body.message), /worker5.*\n.*tmux -S \S+ attach -t worker5\n.*team_tmux_capture/);
    assert.deepEqual([asked[3]?.body.except, asked[3]?.body.quiet], [["worker5"], true], "a start wakes nobody");
    assert.match(String(asked[4]?.body.text), /^Fix it\n\n.*thread-0007/s);
    assert.deepEqual(
      asked.slice(1).map(({ key }) => key),
      ["call-1/thread", undefined, "call-1/first", "call-1/prompt"],
    );
  });

  test("start leaves nothing behind if its worker cannot be made known to the team", async () => {
    const unknown = scripted({ fails: { "/v1/threads/thread-0099/tail": "THREAD_NOT_FOUND" } });
    const into = { taskPrompt: "x", threadId: "thread-0099" };
    await assert.rejects(unknown.call("team_tmux_start", into), { code: "THREAD_NOT_FOUND" });
    assert.equal(unknown.ran.length, 0, "tmux was not called");
    const refused = scripted({ fails: { "/v1/workers": "WORKER_UNREACHABLE" } });
    await assert.rejects(refused.call("team_tmux_start", { taskPrompt: "x" }), { code: "WORKER_UNREACHABLE" });
    assert.deepEqual(refused.ran.at(-1)?.argv.slice(-3), ["kill-session", "-t", "=worker1"]);
  });

  test("start in a file or a missing folder is refused", async () => {
    writeFileSync(join(folder, "a file"), "");
    const { call, ran } = scripted();
    for (const cwd of ["a file", "nothing"]) {
      await assert.rejects(call("team_tmux_start", { taskPrompt: "x", cwd }), { code: "invalid_cwd" }, cwd);
    }
    assert.equal(ran.length, 0);
  });

  test("Escape ends a start that waits for the editor, and says what runs", async () => {
    const { call, asked } = scripted({ screen: "0\nloading" });
    const pressed = new AbortController();
    const started = call("team_tmux_start", { taskPrompt: "x" }, "call-1", pressed.signal);
    setImmediate(() => pressed.abort());
    await assert.rejects(
      started,
      (error: ToolFailure) => error.code === "aborted" && /worker1 runs/.test(error.sentence),
    );
    assert.ok(!asked.some(({ path }) => path.endsWith("/send")));
  });

  test("start behind a dialog returns it; the courier has the prompt", async () => {
    const dialog = [
      rule,
      " Trust project folder?",
      " → Trust",
      "   Do not trust",
      " enter select  escape cancel",
      rule,
    ];
    const { call, asked } = scripted({ screen: ["0", ...dialog].join("\n") });
    const answer = await call("team_tmux_start", { taskPrompt: "Fix it" });
    assert.match(String(answer.asks), /^Trust project folder\?\n→ Trust\nDo not trust$/);
    const sent = asked.find(({ path }) => path.endsWith("/send"));
    assert.match(String(sent?.body.text), /^Fix it/);
    assert.equal(sent?.body.waits, true);
  });

  test("start with an exact name or from the same call returns the existing session", async () => {
    const sessions = "alpha 1 1700000000 call-9 lead /w\n";
    const byName = await scripted({ sessions }).call("team_tmux_start", { taskPrompt: "x", sessionPrefix: "alpha" });
    assert.deepEqual([byName.sessionName, byName.created], ["alpha", false]);
    const again = await scripted({ sessions }).call("team_tmux_start", { taskPrompt: "x" }, "call-9");
    assert.deepEqual([again.sessionName, again.created], ["alpha", false]);
  });

  test("start and capture ask the team, and fail if it refuses or cannot be reached", async () => {
    for (const reason of ["no_active_lease_for_path", "can_write_check_failed"]) {
      const { call, ran } = scripted({ allow: reason, sessions: sessionsOf("worker1") });
      await assert.rejects(call("team_tmux_start", { taskPrompt: "x" }), { code: reason });
      await assert.rejects(call("team_tmux_capture", { sessionName: "worker1" }), { code: reason });
      assert.equal(ran.length, 0);
    }
  });

  test("list, attach and capture", async () => {
    const { call, ran, asked } = scripted({ sessions: "worker1 2 1700000000 - - /a b\nother 1 1700000000 - - /\n" });
    assert.deepEqual(await call("team_tmux_list", { sessionPrefix: "work" }), {
      sessions: [{ name: "worker1", windows: 2, created: "2023-11-14T22:13:20.000Z" }],
    });
    assert.deepEqual(await call("team_tmux_attach", { sessionName: "worker1" }), {
      command: `tmux -S ${socket} attach -t worker1`,
    });
    await call("team_tmux_capture", { sessionName: "worker1" });
    assert.deepEqual(ran.at(-1)?.argv, [...head, "capture-pane", "-p", "-t", "=worker1:", "-S", "-1000", "-E", "-"]);
    const cut = await call("team_tmux_capture", { sessionName: "worker1", lines: 99_999, threadId: "thread-0001" });
    assert.match(String(cut.text), /\n?\[truncated: 99999 lines were requested, the maximum is 10000\]$/);
    assert.equal(ran.at(-1)?.argv.at(-3), "-10000");
    const posted = asked.at(-1);
    assert.equal(posted?.path, "/v1/threads/thread-0001/messages");
    assert.deepEqual([posted.body.except, posted.body.quiet], [["worker1"], true], "a screen wakes nobody");
    await assert.rejects(call("team_tmux_attach", { sessionName: "nobody" }), { code: "session_not_found" });
  });

  test("without tmux the error names it", async () => {
    await assert.rejects(runTmux(["-V"], { PATH: folder }), (error: ToolFailure) => {
      const { command } = JSON.parse(error.message).error;
      return error.code === "tmux_not_installed" && /PATH/.test(error.sentence) && command.join(" ") === "tmux -V";
    });
  });

  test("an error of tmux contains the command and its stderr", async () => {
    const tmux = (argv: readonly string[]) =>
      argv.includes("capture-pane") ? { code: 1, stderr: "protocol version mismatch" } : undefined;
    const { call } = scripted({ sessions: sessionsOf("worker1"), tmux });
    await assert.rejects(call("team_tmux_capture", { sessionName: "worker1" }), (error: ToolFailure) => {
      const { code, command, stderr } = JSON.parse(error.message).error;
      return code === "tmux_failed" && command.includes("capture-pane") && stderr === "protocol version mismatch";
    });
  });
});

describe("names, environments and lines", () => {
  test("a prefix becomes a valid tmux session name", () => {
    assert.equal(safePrefix("fix.it"), "fix-it");
    for (const bad of ["", "-x", "a b", "a;b", "$(x)", "a/b", "x".repeat(41)]) {
      assert.throws(
        () => safePrefix(bad),
        (error) => error instanceof ToolFailure && error.code === "invalid_session_name",
      );
    }
    const sessions = parseSessions(sessionsOf("worker9", "workerX", "worker10"));
    assert.equal(chooseSession(sessions, "worker", "c").name, "worker11");
  });

  test("a worker never gets teamd's variables, even if the settings name them", () => {
    const env = workerEnvironment({ PATH: "/bin", HOME: "/h", ...secrets }, [
      "PI_TEAMD_TOKEN",
      "PI_TEAMD_URL",
      "PI_TEAMD_TOKEN_FILE",
      "OTHER",
      "bad name",
    ]);
    assert.deepEqual(env, { OTHER: "x", PATH: "/bin", HOME: "/h" });
  });

  test("a pi without the variables is in no team", () => {
    assert.equal(membershipOf({ HOME: "/h", USER: "me" }, 1), undefined);
    for (const [name, env] of [
      ["PI_TEAM_ID", { PI_TEAM_ID: "../x" }],
      ["PI_AGENT_ID", { PI_TEAM_ID: "demo", PI_AGENT_ID: "a b" }],
    ] as const) {
      const found = membershipOf(env, 1);
      assert.ok(found && "error" in found && found.error.startsWith(`${name} is `), name);
    }
    assert.deepEqual(membershipOf({ PI_TEAM_ID: "demo", USER: "me" }, 1), {
      teamId: "demo",
      agentId: "me-auto",
      isWorker: false,
    });
    const unnamed = membershipOf({ PI_TEAM_ID: "demo" }, 7);
    assert.equal(unnamed && "agentId" in unnamed && unnamed.agentId, "agent-7");
  });

  test("news is one line that names the thread to read", () => {
    const event = { schemaVersion: "1.0.0", id: "i", cursor: 1, teamId: "demo", agentId: "lead", ts: "" } as const;
    const line = lineOf({
      ...event,
      type: "worker_news",
      actor: "worker1",
      threadId: "thread-0001",
      summary: "worker1 asks: go on?",
    });
    assert.equal(line, "TEAM: worker1 asks: go on? (team_threads_read_tail thread-0001)");
  });
});

describe("the guard", () => {
  test("resolves links, dots and missing folders to the real target of a write", () => {
    mkdirSync(join(folder, "src"), { recursive: true });
    mkdirSync(join(folder, "docs"), { recursive: true });
    symlinkSync("../docs", join(folder, "src", "out"));
    symlinkSync("../docs/nothing/there", join(folder, "src", "dangling"));
    symlinkSync("loop", join(folder, "src", "loop"));
    for (const [path, end] of [
      ["src/a.ts", "src/a.ts"],
      ["src/new/deep/a.ts", "src/new/deep/a.ts"],
      ["src/../docs/a.md", "docs/a.md"],
      ["src/out/a.md", "docs/a.md"],
      ["src/dangling", "docs/nothing/there"],
      ["src/dangling/x", "docs/nothing/there/x"],
    ] as const) {
      assert.equal(realTarget(folder, path, "/h"), join(folder, end), path);
    }
    assert.equal(realTarget(folder, "src/loop", "/h"), undefined);
  });

  test("checks the written path, and for a command the folder", async () => {
    const { context, asked } = scripted();
    const allowed = async (toolName: string, input: object) =>
      guard(context, { toolName, toolCallId: "c", input }, ctx, "/h");
    assert.equal(await allowed("write", { path: "src/out/a.md" }), undefined);
    assert.equal(await allowed("bash", { command: "ls" }), undefined);
    assert.equal(await allowed("read", { path: "src" }), undefined);
    assert.deepEqual(
      asked.map(({ body }) => body),
      [
        { path: join(folder, "docs/a.md"), action: "write" },
        { path: folder, action: "run" },
      ],
    );
    const no = scripted({ allow: "no_active_lease_for_path" });
    const refused = await guard(no.context, { toolName: "edit", toolCallId: "c", input: { path: "a" } }, ctx, "/h");
    assert.equal(refused?.block, true);
    const [what, how] = refused?.reason?.split(" To continue: ") ?? [];
    assert.equal(what, "Write blocked: active lease required (no_active_lease_for_path).");
    assert.match(
      how ?? "",
      /^claim a task whose resources cover \S+\/a: .*team_tasks_list.*team_tasks_claim.*team_tasks_create/,
    );
  });
});
