import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { startSink } from "../../paneward/test/notify/support/sink.ts";
import { openStage } from "./support/browser.ts";
import { until } from "./support/product.ts";

test("what a browser showed is told as soon as the browser is killed", async (t) => {
  const hook = await startSink(t, (_received, response) => void response.writeHead(204).end());
  const channel = `[notify.channels.hook]\nkind = "webhook"\nurl = "${hook.url}"\n`;
  const { daemon, enter } = await openStage(t, `[notify]\ndwell_seconds = 0\n${channel}`, "shell");
  const page = await enter();
  await page.locator("nav.nav").waitFor();
  const why = async () => (await daemon.client.notify_history({})).notices[0]?.why;
  await daemon.client.run({ argv: ["sh", "-c", "printf 'Deploy? [y/n] '; read a; sleep 60"], name: "job" });
  await until("it is known that a page shows it", async () => (await why()) === "you are looking at it");
  const at = performance.now();
  for (const pid of below(process.pid)) process.kill(pid, "SIGKILL");
  await until("it is told", () => hook.received.length === 1);
  // What a page last reported holds for 45 seconds.
  const seconds = (performance.now() - at) / 1_000;
  t.diagnostic(`told after ${seconds.toFixed(1)} s`);
  assert.ok(seconds < 20, `told after ${seconds} s`);
});

/** What the processes that this test started have started, the browser among them; what is started last comes first. */
function below(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean);
  const browsers = children.map(Number).filter((child) => commandOf(child).includes("chrom"));
  return browsers.flatMap((child) => [...below(child), child]);
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8");
}
