import assert from "node:assert/strict";
import { test } from "node:test";
import { captureScreen } from "../src/capture.ts";
import { openSession } from "../src/terminal.ts";
import { redrawPane } from "../src/window.ts";
import { privateServer } from "./support/place.ts";
import { until } from "./support/until.ts";

// It prints its size whenever that changes.
const sizes = "trap 'stty size' WINCH; echo ready; while :; do sleep 0.05; done";

test("a program gets one column more and its own size again, and later clients still decide on the size", async (t) => {
  const { server } = await privateServer(t);
  const { pane } = await openSession(server, { name: "s", argv: ["sh", "-c", sizes], size: { columns: 90, rows: 20 } });
  const shows = async () => (await captureScreen(server, pane)).join("\n").trim();
  await until("it runs", async () => (await shows()) === "ready");
  assert.equal(await redrawPane(server, pane), true);
  await until("it has its own size again", async () => (await shows()) === "ready\n20 91\n20 90");
  const option = ["show-options", "-w", "-t", pane, "window-size"];
  await until("its size is not fixed", async () => (await server.run([option], { readOnly: true })).join("") === "");
});
