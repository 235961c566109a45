import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultConfig } from "@paneward/sdk/config";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { Typist } from "../courier/typist.ts";
import type { PaneInput } from "../ports.ts";
import { type BridgeDeps, TmuxBridge } from "./tmux-bridge.ts";

const caller = { who: "test", scope: "approve", door: "test" } as const;
const found = (pane: string) => ({
  place: { server: "1.1", pane, pid: 7, session: "$1" },
  ...{ session: "mine", columns: 80, rows: 24, cwd: "/", command: "sh" },
});

/** Panes %1 (a terminal of Paneward) and, on the server of plain tmux, %2; `runs` is what runs in %2. */
function bridge(runs: string, delivery: { readonly state: string; readonly reason?: string } = { state: "queued" }) {
  const clock = new FakeClock(0);
  const did: string[] = [];
  const looks: (readonly string[])[] = [];
  const note = (what: string) => {
    did.push(`${clock.monotonic()} ${what}`);
    return Promise.resolve();
  };
  const input: PaneInput = {
    type: (host, { pane }, text) => note(`types ${text} in ${pane} of ${host}`),
    press: async (_host, _place, keys, { pause }) => {
      for (const [at, key] of keys.entries()) {
        if (at > 0) await pause?.();
        await note(key);
      }
    },
    raw: () => note("raw"),
    clear: () => note("clears"),
  };
  const known = { id: "t1", phase: "running", host: "local", place: found("%1").place } as TerminalRecord;
  const deps = {
    clock,
    env: { TMUX_TMPDIR: "/tmp/of-user" },
    places: { tmuxSocket: "/own.sock" },
    agents: { of: () => undefined },
    store: { terminals: () => [known] },
    terminals: {
      find: async (host: string, pane: string) => ((host === "local") === (pane === "%1") ? found(pane) : undefined),
      health: async (_host: string, _place: object, _level: string, names: readonly string[]) => {
        looks.push(names);
        return { available: true, running: names.includes(runs) };
      },
    },
    typist: new Typist(input, clock),
    adopted: {
      adopt: async (socket: string, pane: string, kind: string) => {
        did.push(`adopts ${kind} in ${pane} of ${socket.replace(/tmux-\d+/, "tmux-UID")}`);
        return { terminal: "t9" };
      },
    },
    configFor: async () => ({ config: defaultConfig }),
    send: async ({ id, text = "", keys = [] }: { id: string; text?: string; keys?: readonly string[] }) => {
      did.push(`sends ${text}${keys.join(" ")} to ${id}`);
      return delivery;
    },
  } as unknown as BridgeDeps;
  return { made: new TmuxBridge(deps), did, looks, clock };
}

test("a text is typed as it is, and Enter follows after the configured pause, as do further keys", async () => {
  const { made, did, looks, clock } = bridge("vim");
  const sent = made.sendText({ pane_id: "%2" }, "make; #{x}", caller);
  await clock.advance(1_000);
  assert.equal(looks.length, 1, "one look tells that no agent runs there");
  assert.deepEqual(await sent, { success: true, error_type: null, error_message: null, latency_ms: 100 });
  const host = `tmux:/tmp/of-user/tmux-${process.getuid?.()}/default`;
  assert.deepEqual(did.splice(0), [`0 types make; #{x} in %2 of ${host}`, "100 Enter"]);
  const keys = made.sendKeys({ pane_id: "%2" }, ["Up", "C-c"], caller);
  await clock.advance(1_000);
  assert.equal((await keys).success, true);
  assert.deepEqual(did, ["1000 Up", "1150 C-c"]);
});

test("what Paneward knows is sent by the courier, and an agent that it does not know yet is adopted first", async () => {
  const { made, did } = bridge("claude");
  await made.sendText({ pane_id: "%1" }, "hello", caller);
  await made.sendKeys({ pane_id: "%2" }, ["Escape"], caller);
  assert.deepEqual(did, [
    "sends hello to t1",
    "adopts claude in %2 of /tmp/of-user/tmux-UID/default",
    "sends Escape to t9",
  ]);
});

test("a delivery that failed is send_failed with its reason", async () => {
  const { made } = bridge("vim", { state: "failed", reason: "a dialog is open" });
  const { success, error_type, error_message } = await made.sendText({ pane_id: "%1" }, "x", caller);
  assert.deepEqual([success, error_type, error_message], [false, "send_failed", "a dialog is open"]);
});
