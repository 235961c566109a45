import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { createClient } from "@paneward/sdk";
import { httpTransport } from "@paneward/sdk/node/http";
import { startSshd } from "../../../tmux/test/support/sshd.ts";
import { afterwards } from "../support/folder.ts";
import { accepts, reservedPort } from "../support/proxies.ts";
import { until } from "../support/until.ts";
import { browserAt } from "./support/browser.ts";
import { served } from "./support/served.ts";

test("through ssh -L with a port of its own, `origins` names it: programs and pages are answered", async (t) => {
  const local = await reservedPort();
  const origin = `http://127.0.0.1:${local}`;
  const named = await served(t, { sites: { origins: [origin], funnel: false } });
  const unnamed = await served(t);
  const { prefix } = await startSshd(t);
  const [ssh = "", ...options] = prefix.slice(0, -1);
  const forward = async (from: number, to: number) => {
    const way = ["-N", "-o", "ControlPath=none", "-L", `${from}:127.0.0.1:${to}`, "box"];
    const child = spawn(ssh, [...options, ...way], { stdio: "ignore" });
    afterwards(t, async () => {
      const gone = once(child, "exit");
      child.kill();
      await gone;
    });
    await until("ssh listens", () => accepts(from));
  };
  await forward(local, named.port);
  const pingThrough = async (port: number, token: string) => {
    const transport = httpTransport(`http://127.0.0.1:${port}`, token);
    try {
      return await createClient(transport).ping({});
    } finally {
      transport.close();
    }
  };
  assert.equal((await pingThrough(local, named.token("read"))).pong, true);
  const page = await browserAt(local);
  assert.equal((await page.logIn({ link: named.logins.link("read", 10, origin).secret })).status, 200);
  const other = await reservedPort();
  await forward(other, unnamed.port);
  await assert.rejects(pingThrough(other, unnamed.token("read")), (error: Error & { hint?: string }) => {
    assert.match(error.message, /requests with this Host are refused/);
    assert.match(error.hint ?? "", /`origins` under \[web\]/);
    return true;
  });
});
