import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DaemonArena, openIdle } from "./daemon-arena.ts";
import { askFor, askOnce } from "./http-load.ts";
import { undoOnInterrupt } from "./interrupt.ts";
import { interleaved, median } from "./measure.ts";
import { joined, type Result } from "./result.ts";

const terminals = 10;
const ways = { ping: "/api/ping", ps: "/api/ps" } as const;

/** Requests per second of the daemon, compared with a bare server that returns the same bytes. */
export async function requests(arena: DaemonArena): Promise<Result> {
  await openIdle(arena, terminals);
  const results: Result[] = [];
  for (const name of ["ping", "ps"] as const) results.push(await rate(arena, name));
  return joined(results);
}

const roundMs = 500;

async function rate({ socket, folder }: DaemonArena, name: keyof typeof ways): Promise<Result> {
  const path = ways[name];
  const bare = await bareServer(folder, name, await askOnce(socket, path));
  const perSecond = async (at: string) => [((await askFor(at, path, roundMs)) / roundMs) * 1_000];
  try {
    // Warm up first.
    await Promise.all([perSecond(socket), perSecond(bare.socket)]);
    const samples = await interleaved(5, { ours: () => perSecond(socket), bare: () => perSecond(bare.socket) });
    const note = `bare: node:http returns the same bytes${name === "ps" ? `; ${terminals} terminals` : ""}`;
    const [ours, bareRate] = [median(samples.ours), median(samples.bare)];
    return {
      rows: [{ question: `${name} on the socket`, unit: "requests/s", ours, bare: bareRate, note }],
      targets: [],
    };
  } finally {
    bare.close();
  }
}

const script = `const [socket, file] = process.argv.slice(1);
const body = require("node:fs").readFileSync(file);
const headers = { "content-type": "application/json", "content-length": body.length };
require("node:http").createServer((_, answer) => answer.writeHead(200, headers).end(body))
  .listen(socket, () => console.log("ready"));`;

async function bareServer(folder: string, name: string, body: string) {
  const socket = join(folder, `${name}.sock`);
  const file = join(folder, `${name}.json`);
  writeFileSync(file, body);
  const child: ChildProcess = spawn(process.execPath, ["-e", script, socket, file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () => child.kill("SIGKILL");
  const finished = undoOnInterrupt(kill);
  if (child.stdout) await once(child.stdout, "data");
  const close = () => {
    kill();
    finished();
  };
  return { socket, close };
}
