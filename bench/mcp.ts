import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { DaemonArena } from "./daemon-arena.ts";
import { interleaved, median, repeated, type Samples, timed } from "./measure.ts";
import { atLeast, type Result } from "./result.ts";

const atOnce = 100;
const warmUp = 500;

/** Time of one tool call, end to end over stdio, and of a hundred at once. */
export async function mcpCall(arena: DaemonArena): Promise<Result> {
  const { id, pane = "" } = await arena.client.run({ argv: ["sh", "-c", "seq 1 200; exec sleep 1000000"] });
  const { results } = await arena.client.wait({ ids: [id], for: [{ kind: "idle" }], timeout: 30 });
  if (results[0]?.kind !== "idle") throw new Error("the terminal did not become idle");
  const { cursor } = await arena.client.read({ id, lines: 100 });
  const ours = await connected(arena, [arena.cli, "mcp"]);
  const spawning = join(import.meta.dirname, "spawning-mcp.ts");
  const theirs = await connected(arena, [spawning, arena.env.PANEWARD_TMUX_SOCKET_PATH ?? ""]);
  try {
    const read = () => called(ours, "terminal_read", { id, lines: 100 });
    const readNew = () => called(ours, "terminal_read", { id, cursor });
    const spawned = () => called(theirs, "read", { pane });
    const looks = {
      ours: () => called(ours, "terminal_screen", { id }),
      spawn: () => called(theirs, "screen", { pane }),
    };
    const presses = {
      ours: () => called(ours, "terminal_send", { id, keys: ["a"] }),
      spawn: () => called(theirs, "press", { pane }),
    };
    const many = (call: () => Promise<void>) => async () => [
      await timed(() => Promise.all(Array.from({ length: atOnce }, call))),
    ];
    const cold = await interleaved(20, { fresh: () => repeated(1, readNew), spawn: () => repeated(1, spawned) });
    const coldMany = await interleaved(3, { fresh: many(readNew), spawn: many(spawned) });
    // Warm up both servers first, as a server in use would be.
    for (const call of [read, readNew, spawned]) await repeated(warmUp, call);
    for (const call of [...Object.values(looks), ...Object.values(presses)]) await repeated(warmUp / 5, call);
    for (const call of [read, readNew, spawned]) for (let round = 0; round < 5; round++) await many(call)();
    const one = await interleaved(20, {
      ours: () => repeated(5, read),
      fresh: () => repeated(5, readNew),
      spawn: () => repeated(5, spawned),
    });
    const hundred = await interleaved(7, {
      ours: many(read),
      fresh: many(readNew),
      spawn: many(spawned),
      // In the same rounds, so that a busy moment of the machine affects both sides of the comparison.
      oneByOne: () => repeated(10, spawned),
    });
    const screen = await interleaved(20, {
      ours: () => repeated(5, looks.ours),
      spawn: () => repeated(5, looks.spawn),
    });
    const press = await interleaved(20, {
      ours: () => repeated(5, presses.ours),
      spawn: () => repeated(5, presses.spawn),
    });
    const single = { ours: median(one.ours), fresh: median(one.fresh), spawn: median(one.spawn) };
    const bulk = { ours: median(hundred.ours), fresh: median(hundred.fresh), spawn: median(hundred.spawn) };
    return {
      rows: [
        { question: "MCP call: the last 100 lines", unit: "ms", ours: single.ours, spawn: single.spawn },
        { question: "MCP call: new output", unit: "ms", ours: single.fresh, spawn: single.spawn },
        { question: "MCP call: the screen", unit: "ms", ours: median(screen.ours), spawn: median(screen.spawn) },
        { question: "MCP call: press a key", unit: "ms", ours: median(press.ours), spawn: median(press.spawn) },
        { question: `${atOnce} MCP calls at once: the last 100 lines`, unit: "ms", ours: bulk.ours, spawn: bulk.spawn },
        { question: `${atOnce} MCP calls at once: new output`, unit: "ms", ours: bulk.fresh, spawn: bulk.spawn },
        { question: "the first 20 MCP calls: new output", unit: "ms", ...coldRow(cold) },
        { question: `the first ${3 * atOnce} MCP calls, ${atOnce} at once`, unit: "ms", ...coldRow(coldMany) },
      ],
      targets: [
        atLeast("one MCP call against spawning", single.spawn / single.fresh, 4),
        atLeast(
          `${atOnce} MCP calls at once against as many one by one with spawning`,
          (median(hundred.oneByOne) * atOnce) / bulk.fresh,
          20,
        ),
      ],
    };
  } finally {
    await Promise.all([ours.close(), theirs.close()]);
  }
}

/** Before Node has compiled the hot code. */
function coldRow({ fresh, spawn }: Readonly<Record<"fresh" | "spawn", Samples>>) {
  return { ours: median(fresh), spawn: median(spawn), note: "not warmed up" };
}

async function connected({ env, folder }: DaemonArena, args: readonly string[]): Promise<Client> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], env: { ...env }, cwd: folder }),
  );
  return client;
}

async function called(client: Client, name: string, input: Readonly<Record<string, unknown>>): Promise<void> {
  const { isError } = await client.callTool({ name, arguments: input });
  if (isError) throw new Error(`${name} failed`);
}
