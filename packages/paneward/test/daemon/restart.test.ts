import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

test("after a daemon restart a running program is found again, and its end is reported with its code", async (t) => {
  const daemon = await startDaemon(t);
  const { id } = await daemon.client.run({ argv: ["sh", "-c", "read x; exit 6"] });
  await daemon.kill("SIGTERM");
  await daemon.start();
  assert.match((await daemon.client.explain({ id })).status, /Running|Idle/);
  await daemon.client.send({ id, text: "go" });
  const { results } = await daemon.client.wait({ ids: [id], for: [{ kind: "exited" }], timeout: 60 });
  assert.deepEqual(results, [{ kind: "exited", id, code: 6 }]);
});

test("exits that happened while the daemon was away are reported once, with their codes and output", async (t) => {
  const daemon = await startDaemon(t);
  const gate = `${daemon.folder}/gate`;
  execFileSync("mkfifo", [gate]);
  const program = (end: string) => ["sh", "-c", `cat ${gate}; echo last words; ${end}`];
  const exits = await daemon.client.run({ argv: program("exit 9") });
  await daemon.kill("SIGKILL");
  execFileSync("sh", ["-c", `echo > ${gate}`]);
  await until("the exit in tmux", () => paneIsDead(daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "", exits.session));
  await daemon.start();
  await daemon.kill("SIGKILL");
  await daemon.start();
  const { events } = await daemon.client.events({});
  const closed = events.filter(({ type }) => type === "terminal_closed");
  assert.deepEqual(
    closed.map(({ data }) => (data as { end: unknown }).end),
    [{ kind: "exited", code: 9 }],
  );
  assert.match((await daemon.client.read({ id: exits.id })).output, /last words\n$/);
});

test("when the tmux server dies its terminals are lost, and restart brings one back", async (t) => {
  const daemon = await startDaemon(t);
  const { id } = await daemon.client.run({ argv: ["sh", "-c", "echo here; sleep 100"] });
  await daemon.client.wait({ ids: [id], for: [{ kind: "output", pattern: "here" }], timeout: 60 });
  const over = await daemon.client.run({ argv: ["sh", "-c", "echo done"], name: "over" });
  await daemon.client.wait({ ids: [over.id], for: [{ kind: "exited" }], timeout: 60 });
  const tmux = (...args: readonly string[]) =>
    execFileSync("tmux", ["-S", daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "", ...args], { encoding: "utf8" });
  const { argv } = await daemon.client.attach({ id: over.id });
  const line = tmux("display-message", "-p", "-t", `${argv.at(-1)}:`, "#{E:status-left}|#{E:status-right}");
  assert.match(line, /\bt2-over .*C-b d leaves/);
  tmux("kill-server");
  const { results } = await daemon.client.wait({ ids: [id], for: [{ kind: "exited" }], timeout: 60 });
  assert.equal(results[0]?.kind, "lost");
  const why = await daemon.client.explain({ id });
  assert.deepEqual([why.status, why.why.rule], ["Lost", `the tmux server is gone; paneward restore ${id}`]);
  assert.deepEqual(
    why.witnesses.map(({ witness, says, used }) => [witness, says, used]),
    [["exit", "the tmux server is gone", true]],
  );
  await assert.rejects(daemon.client.attach({ id: over.id }), {
    code: "wrong_state",
    hint: /`paneward read t2` .* `paneward restart t2`/,
  });
  await daemon.client.restart({ id });
  const again = await until("the second run", async () => {
    const { output } = await daemon.client.read({ id });
    return output === "here\nhere\n" && output;
  });
  assert.ok(again);
});

test("a second daemon on the same socket is refused", async (t) => {
  const daemon = await startDaemon(t);
  await assert.rejects(
    startSecond(daemon.env),
    new RegExp(`another daemon is already running: process ${daemon.pid} `),
  );
  assert.equal((await daemon.client.ping({})).pid, daemon.pid);
});

test("a daemon that was killed leaves a stale socket, and the next one takes it over", async (t) => {
  const daemon = await startDaemon(t);
  const first = daemon.pid;
  await daemon.kill("SIGKILL");
  await daemon.start();
  assert.notEqual((await daemon.client.ping({})).pid, first);
});

test("a program in a session that no terminal belongs to becomes a terminal when the daemon starts", async (t) => {
  const daemon = await startDaemon(t);
  await daemon.client.run({ argv: ["sleep", "100"] });
  await daemon.kill("SIGKILL");
  execFileSync("tmux", [
    "-S",
    daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "",
    "new-session",
    "-d",
    "-s",
    "paneward-t99-orphan",
    "sleep",
    "100",
  ]);
  await daemon.start();
  const { terminals } = await daemon.client.ps({});
  assert.deepEqual(
    terminals.map(({ id, name, end }) => [id, name, end]),
    [
      ["t1", "sleep", undefined],
      ["t99", "orphan", undefined],
    ],
  );
});

function paneIsDead(socket: string, session: string): boolean {
  const printed = execFileSync("tmux", [
    "-S",
    socket,
    "list-panes",
    "-t",
    `=${session}`,
    "-F",
    "#{pane_dead}#{pane_dead_status}",
  ]);
  return printed.toString().trim() === "19";
}

function startSecond(env: Readonly<Record<string, string>>): Promise<void> {
  const entry = new URL("../support/run-daemon.ts", import.meta.url).pathname;
  return new Promise((resolve, reject) => {
    try {
      execFileSync(process.execPath, [entry], {
        env: { ...env, NODE_OPTIONS: process.env.NODE_OPTIONS ?? "" },
        stdio: "pipe",
      });
      resolve();
    } catch (error) {
      reject(error as Error);
    }
  });
}

test("a daemon that was killed leaves no control client behind once the next one has started", async (t) => {
  const daemon = await startDaemon(t);
  for (let kill = 0; kill < 3; kill++) {
    await daemon.kill("SIGKILL");
    await daemon.start();
  }
  const socket = daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "";
  const clients = () => execFileSync("tmux", ["-S", socket, "list-clients", "-F", "#{client_pid}"]).toString().trim();
  await until("only the two of this daemon", () => clients().split("\n").length === 2);
});
