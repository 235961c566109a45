import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type DaemonArena, openIdle } from "./daemon-arena.ts";
import { interleaved, median, percentile, repeated } from "./measure.ts";
import { sourceCli } from "./product.ts";
import { atMost, type Result } from "./result.ts";

const execute = promisify(execFile);
const terminals = 10;

/** Time of `paneward ps` with a running daemon, compared with a Node process that does nothing. */
export async function listTime(arena: DaemonArena): Promise<Result> {
  await openIdle(arena, terminals);
  // The common case: no configuration file.
  const env = { ...arena.env, XDG_CONFIG_HOME: join(arena.folder, "empty") };
  const node = async (...args: readonly string[]) => (await execute(process.execPath, args, { env })).stdout;
  const installed = () => node(arena.cli, "ps");
  const fromSource = () => node("--conditions=@paneward/source", sourceCli, "ps");
  const lines = (await installed()).trimEnd().split("\n").length;
  if (lines !== terminals + 1) throw new Error(`${lines} lines were printed for ${terminals} terminals`);
  await fromSource();
  const samples = await interleaved(40, {
    installed: () => repeated(1, installed),
    source: () => repeated(1, fromSource),
    nothing: () => repeated(1, () => node("-e", "0")),
  });
  const p95 = percentile(samples.installed, 95);
  const bare = median(samples.nothing);
  const note = "bare: node -e 0";
  return {
    rows: [
      { question: "paneward ps, median", unit: "ms", ours: median(samples.installed), bare, note },
      { question: "paneward ps, p95", unit: "ms", ours: p95, bare: percentile(samples.nothing, 95), note },
      { question: "paneward ps from source, median", unit: "ms", ours: median(samples.source), bare, note },
    ],
    targets: [
      atMost("paneward ps, median", median(samples.installed), 60, " ms"),
      atMost("paneward ps, p95", p95, 120, " ms"),
    ],
  };
}
