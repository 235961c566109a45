import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { hookCommand, hookScript } from "../../src/agents/hook-script.ts";
import { hookScriptPath } from "../../src/runtime/witnesses/hook-facts.ts";
import { paneward } from "../cli/support/cli.ts";
import { startDaemon } from "../support/daemon.ts";
import { afterwards, type Cleanup, temporaryFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";

type Environment = Readonly<Record<string, string>>;

/** Runs a hook's command line as an agent does, with its JSON on stdin. */
async function fire(command: string, payload: object, env: Environment) {
  const child = spawn("/bin/sh", ["-c", command], { env });
  const printed = { stdout: "", stderr: "" };
  const failed: Error[] = [];
  child.stdin.on("error", (error) => failed.push(error));
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
    });
  }
  child.stdin.end(JSON.stringify(payload));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...printed, failed };
}

const quiet = { code: 0, stdout: "", stderr: "", failed: [] };
/** More than a pipe holds: an agent that writes it must not meet a closed pipe. */
const large = { session_id: "s1", hook_event_name: "PostToolUse", tool_response: "x".repeat(300_000) };

async function written(t: Cleanup, folder = "it's here") {
  const home = join(await temporaryFolder(t), folder);
  const socket = join(home, "daemon.sock");
  mkdirSync(home);
  const script = join(home, "hook.sh");
  writeFileSync(script, hookScript(socket));
  return { home, socket, script };
}

test("a hook succeeds when the script, the daemon or curl is missing", async (t) => {
  const { home, socket, script } = await written(t);
  const env = { PATH: process.env.PATH ?? "" };
  for (const mode of ["tell", "ask"] as const) {
    const command = hookCommand(script, mode, "claude");
    assert.deepEqual(await fire(command, large, env), quiet, "no daemon");
    assert.deepEqual(await fire(hookCommand(join(home, "gone.sh"), mode, "claude"), large, env), quiet, "no script");
  }
  const server = createServer();
  afterwards(t, () => void server.close());
  server.listen(socket);
  await once(server, "listening");
  const connections: unknown[] = [];
  server.on("connection", (connection) => connections.push(connection));
  const bare = join(home, "bin");
  mkdirSync(bare);
  for (const program of ["sh", "cat"]) symlinkSync(`/bin/${program}`, join(bare, program));
  assert.deepEqual(await fire(hookCommand(script, "tell", "claude"), large, { PATH: bare }), quiet, "no curl");
  assert.equal(connections.length, 0);
});

test("a daemon that never answers, disconnects or is dead does not block an agent", async (t) => {
  const { socket, script } = await written(t);
  const env = { PATH: process.env.PATH ?? "", PANEWARD_HOOK_WAIT: "1" };
  const behaviours = { silent: () => {}, rude: (connection: { destroy(): void }) => connection.destroy() };
  for (const [name, behave] of Object.entries(behaviours)) {
    const server = createServer((connection) => {
      connection.on("error", () => {}).resume();
      behave(connection);
    });
    server.listen(socket);
    await once(server, "listening");
    for (const mode of ["tell", "ask"] as const) {
      assert.deepEqual(await fire(hookCommand(script, mode, "claude"), large, env), quiet, `${name}, ${mode}`);
    }
    server.close();
    await once(server, "close");
  }
});

test("an agent that the user started reports by the installed hooks", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder, env } = daemon;
  const settings = join(folder, ".claude", "settings.json");
  assert.equal((await paneward(["hooks", "install", "claude-code"], { env })).code, 0);
  // It fires what its settings say for the event, as Claude Code does, and then stays.
  const program = join(folder, "claude");
  const steps = [
    `event() { ${JSON.stringify(process.execPath)} -e 'const [file, event] = process.argv.slice(1);`,
    `  console.log(JSON.parse(require("fs").readFileSync(file)).hooks[event][0].hooks[0].command)' '${settings}' "$1"; }`,
    'fire() { printf \'{"session_id":"s1","hook_event_name":"%s",%s}\' "$1" "$2" | sh -c "$(event "$1")"; }',
    `fire SessionStart '"source":"startup"'`,
    `fire UserPromptSubmit '"prompt":"make it so"'`,
    "exec sleep 1000000",
  ];
  writeFileSync(program, `#!/bin/sh\n${steps.join("\n")}\n`);
  chmodSync(program, 0o755);
  const terminal = await client.run({ argv: [program], cwd: folder });
  const agent = await until("the prompt is reported", async () => {
    const { agents } = await client.agents({});
    return agents.find((one) => one.session_id === "s1" && one.state === "processing");
  });
  assert.equal(agent.terminal, terminal.id);

  await daemon.kill("SIGKILL");
  const command = hookCommand(hookScriptPath({ home: join(folder, "state") }), "tell", "claude");
  assert.deepEqual(await fire(command, large, env), quiet, "a socket that a killed daemon left");
  rmSync(join(folder, "state", "hooks"), { recursive: true });
  await daemon.start();
  assert.equal((await fire(`[ -r '${folder}/state/hooks/hook.sh' ] && echo there`, {}, env)).stdout, "there\n");
});
