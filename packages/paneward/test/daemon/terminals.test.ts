import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

test("a program's output and exit code are reported", async (t) => {
  const { client } = await startDaemon(t);
  const terminal = await client.run({ argv: ["sh", "-c", "echo hello; exit 3"] });
  const waited = await client.wait({ ids: [terminal.id], for: [{ kind: "exited" }], timeout: 60 });
  assert.deepEqual(waited.results, [{ kind: "exited", id: terminal.id, code: 3 }]);
  const { output, state, has_more } = await client.read({ id: terminal.id });
  assert.equal(output, "hello\n");
  assert.deepEqual([state, has_more], ["Exited", false]);
});

test("a killed program is distinguished from one that exited with 137", async (t) => {
  const { client, folder } = await startDaemon(t);
  const gate = join(folder, "gate");
  const script = `while ! [ -e ${gate} ]; do sleep 0.05; done; kill -9 $$`;
  const killed = await client.run({ argv: ["sh", "-c", script] });
  const exited = await client.run({ argv: ["sh", "-c", "exit 137"] });
  await client.wait({ ids: [exited.id], for: [{ kind: "exited" }], timeout: 60 });
  const waiting = client.wait({ ids: [killed.id, exited.id], for: [{ kind: "exited" }], timeout: 60 });
  writeFileSync(gate, "");
  const { results } = await waiting;
  assert.deepEqual(results, [
    { kind: "killed", id: killed.id, signal: 9 },
    { kind: "exited", id: exited.id, code: 137 },
  ]);
});

test("stop ends a shell that ignores TERM, and says who asked", async (t) => {
  const { client } = await startDaemon(t);
  const terminal = await client.run({
    argv: ["sh", "-c", "trap '' TERM; while :; do sleep 1; done"],
    name: "stubborn",
  });
  assert.deepEqual(await client.stop({ id: "stubborn" }), { id: terminal.id, stopped: true });
  const { status, why } = await client.explain({ id: terminal.id });
  assert.equal(status, "Stopped");
  assert.match(why.rule, /stopped by uid:\d+/);
  assert.deepEqual((await client.sessions({})).sessions, []);
});

test("a session is of the task or terminal whose record names it, whatever its own name says", async (t) => {
  const { client, env } = await startDaemon(t);
  const { id } = await client.run({ argv: ["sleep", "1000"], name: "known" });
  const tmux = ["-S", env.PANEWARD_TMUX_SOCKET_PATH ?? "", "new-session", "-d", "-s"];
  for (const name of ["paneward-77-found", "paneward-t78-found"])
    execFileSync("tmux", [...tmux, name, "sleep 1000"], { env });
  const { sessions } = await client.sessions({});
  assert.deepEqual(sessions.map(({ name, task, terminal }) => [name, task, terminal]).sort(), [
    ["paneward-77-found", undefined, undefined],
    [`paneward-${id}-known`, undefined, id],
    ["paneward-t78-found", undefined, undefined],
  ]);
});

test("stop and restart leave nothing of a program that ignores TERM and HUP, and outlives its terminal", async (t) => {
  const { client, folder } = await startDaemon(t);
  const pids = join(folder, "pids");
  const script = `trap '' TERM HUP; echo $$ >> ${pids}; while :; do sleep 1; done`;
  const begun = () => (existsSync(pids) ? readFileSync(pids, "utf8").trim().split("\n") : []);
  const { id } = await client.run({ argv: ["sh", "-c", script] });
  await until("it runs", () => begun().length === 1);
  await client.restart({ id });
  await until("it runs again", () => begun().length === 2);
  const lives = (pid: string | undefined) => existsSync(`/proc/${pid}`);
  assert.deepEqual(begun().map(lives), [false, true]);
  assert.equal((await client.explain({ id })).status, "Running");
  await client.stop({ id });
  assert.deepEqual(begun().map(lives), [false, false]);
});

test("restart runs the program again in the same terminal", async (t) => {
  const { client } = await startDaemon(t);
  const first = await client.run({ argv: ["sh", "-c", "echo run; exit 4"] });
  await client.wait({ ids: [first.id], for: [{ kind: "exited" }], timeout: 60 });
  const again = await client.restart({ id: first.id });
  assert.equal(again.id, first.id);
  assert.equal(again.pane, first.pane);
  await client.wait({ ids: [first.id], for: [{ kind: "exited" }], timeout: 60 });
  assert.equal((await client.read({ id: first.id })).output, "run\nrun\n");
});

test("what is typed arrives, and a receipt says so", async (t) => {
  const { client } = await startDaemon(t);
  const { id } = await client.run({ argv: ["cat"] });
  const sent = await client.send({ id, text: "good morning", idempotency_key: "once", ack: 10 });
  assert.equal(sent.state, "acknowledged");
  const again = await client.send({ id, text: "good morning", idempotency_key: "once" });
  assert.deepEqual([again.id, again.repeated], [sent.id, true]);
  const { results } = await client.wait({
    ids: [id],
    for: [{ kind: "output", pattern: "^good morning$" }],
    timeout: 60,
  });
  assert.deepEqual(results, [{ kind: "output", id, match: "good morning" }]);
  const typed = await until("both echoes", async () => {
    const { output } = await client.read({ id });
    return output.split("good morning").length === 3 && output;
  });
  assert.equal(typed, "good morning\ngood morning\n");
});

test("a wait finds a line as the screen shows it, also when it was drawn in two parts", async (t) => {
  const { client } = await startDaemon(t);
  const script = "stty -echo; printf 'Do\\nmore\\n'; read x; printf '\\033[1;3Hne'; sleep 1000";
  const { id } = await client.run({ argv: ["sh", "-c", script] });
  const waiting = client.wait({ ids: [id], for: [{ kind: "output", pattern: "^Done$" }], timeout: 60 });
  await client.wait({ ids: [id], for: [{ kind: "output", pattern: "^more$" }], timeout: 60 });
  const before = await client.wait({ ids: [id], for: [{ kind: "output", pattern: "^Done$" }], timeout: 0 });
  assert.equal(before.results[0]?.kind, "timed_out");
  const { resume = "" } = before.results[0] as { readonly resume?: string };
  await client.send({ id, text: "go" });
  const found = [{ kind: "output", id, match: "Done" }];
  assert.deepEqual((await waiting).results, found);
  const again = { ids: [id], for: [{ kind: "output" as const, pattern: "^Done$" }], timeout: 60, resume };
  assert.deepEqual((await client.wait(again)).results, found);
});

test("silence makes a terminal idle and output makes it run again, each reported once", async (t) => {
  const { client } = await startDaemon(t);
  const { id } = await client.run({ argv: ["sh", "-c", "echo a; read x; echo b; sleep 100"] });
  await client.wait({ ids: [id], for: [{ kind: "idle" }], timeout: 60 });
  await client.send({ id, text: "go" });
  await client.wait({ ids: [id], for: [{ kind: "output", pattern: "^b$" }], timeout: 60 });
  await client.wait({ ids: [id], for: [{ kind: "idle" }], timeout: 60 });
  const changes = (await client.events({})).events.filter(({ type }) => type === "terminal_status_changed");
  assert.deepEqual(
    changes.map(({ data }) => (data as { status: string }).status),
    ["Idle", "Running", "Idle"],
  );
});

test("the screen is what a person would see", async (t) => {
  const { client } = await startDaemon(t);
  const { id } = await client.run({ argv: ["sh", "-c", "printf 'one\\ntwo\\n'; sleep 100"], columns: 40, rows: 5 });
  const screen = await until("the text", async () => {
    const seen = await client.screen({ id });
    return seen.lines[1] === "two" && seen;
  });
  assert.deepEqual([screen.columns, screen.rows, screen.lines.slice(0, 2)], [40, 5, ["one", "two"]]);
});

test("a terminal that is removed is gone, and its tmux session too", async (t) => {
  const { client } = await startDaemon(t);
  const { id } = await client.run({ argv: ["sleep", "100"] });
  await client.rm({ id });
  assert.deepEqual((await client.ps({ all: "true" })).terminals, []);
  assert.deepEqual((await client.sessions({})).sessions, []);
});

test("a program or a folder that is not there is refused, and nothing is left of the attempt", async (t) => {
  const { client } = await startDaemon(t);
  await assert.rejects(client.run({ argv: ["no-such-program"] }), { code: "bad_input" });
  await assert.rejects(client.run({ argv: ["true"], cwd: "/no/such/folder" }), { code: "bad_input" });
  assert.deepEqual((await client.ps({ all: "true" })).terminals, []);
  assert.deepEqual(
    (await client.events({})).events.filter(({ type }) => type.startsWith("terminal")),
    [],
  );
});
