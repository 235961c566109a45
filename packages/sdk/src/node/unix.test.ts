import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { notReached } from "./unix.ts";

test("an error before there was a connection says that nothing was sent; a later one, that it may have happened", () => {
  const cases = [
    ["ENOENT", "connect", "unavailable"],
    ["ECONNREFUSED", "connect", "unavailable"],
    ["EACCES", "connect", "unavailable"],
    ["EAGAIN", "connect", "unavailable"],
    ["ECONNRESET", "read", "outcome_unknown"],
    ["EPIPE", "write", "outcome_unknown"],
  ] as const;
  for (const [code, syscall, expected] of cases) {
    const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
    const failure = notReached("/run/d.sock", cause);
    assert.equal(failure.code, expected, code);
    if (expected === "unavailable") assert.match(failure.message, /no daemon listens|nothing was sent/);
  }
});

test("a request that is never answered keeps no process from its end once the transport is closed", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "pw-unix-"));
  const socketPath = join(folder, "s");
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(socketPath);
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await once(server, "listening");
  const script = `
    const { unixTransport } = await import(${JSON.stringify(import.meta.resolve("./unix.ts"))});
    const transport = unixTransport(${JSON.stringify(socketPath)}, "cli");
    void transport.request("GET", "/");
    setTimeout(() => transport.close(), 100);`;
  const options = ["--conditions=@paneward/source", "--input-type=module", "--eval", script];
  const child = spawn(process.execPath, options, { stdio: "inherit" });
  const asked = once(server, "connection").then(() => setTimeout(() => child.kill("SIGKILL"), 10_000));
  const [code] = await once(child, "exit");
  clearTimeout(await asked);
  assert.equal(code, 0, "it ended by itself");
});
