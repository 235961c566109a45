import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DaemonArena, openIdle } from "./daemon-arena.ts";
import { askFor, askOnce } from "./http-load.ts";
import { undoOnInterrupt } from "./interrupt.ts";
import { interleaved, median } from "./measure.ts";
import { processorMs } from "./processes.ts";
import { atLeast, joined, type Result } from "./result.ts";

const terminals = 10;
const ways = { ping: "/api/ping", ps: "/api/ps" } as const;
const minShareOfBare = { ping: 0.25, ps: 0.16 } as const;

/** Requests per second of the daemon, compared with a bare server that returns the same bytes. */
export async function requests(arena: DaemonArena): Promise<Result> {
  await openIdle(arena, terminals);
  const results: Result[] = [];
  for (const name of ["ping", "ps"] as const) results.push(await rate(arena, name));
  return joined(results);
}

const roundMs = 500;

async function rate({ socket, folder, pid }: DaemonArena, name: keyof typeof ways): Promise<Result> {
  const path = ways[name];
  const bare = await bareServer(folder, name, await askOnce(socket, path));
  const spent = { ours: { ms: 0, requests: 0 }, bare: { ms: 0, requests: 0 } };
  const perSecond = async (which: "ours" | "bare") => {
    const [at, server] = which === "ours" ? [socket, pid] : [bare.socket, bare.pid];
    const before = processorMs(server);
    const answered = await askFor(at, path, roundMs);
    spent[which].ms += processorMs(server) - before;
    spent[which].requests += answered;
    return [(answered / roundMs) * 1_000];
  };
  try {
    // Warm up first.
    await Promise.all([askFor(socket, path, roundMs), askFor(bare.socket, path, roundMs)]);
    const samples = await interleaved(5, { ours: () => perSecond("ours"), bare: () => perSecond("bare") });
    const each = ({ ms, requests }: { readonly ms: number; readonly requests: number }) => (ms * 1_000) / requests;
    const note = `bare: node:http returns the same bytes${name === "ps" ? `; ${terminals} terminals` : ""}`;
    const [ours, bareRate] = [median(samples.ours), median(samples.bare)];
    return {
      rows: [
        { question: `${name} on the socket`, unit: "requests/s", ours, bare: bareRate, note },
        {
          question: `${name} on the socket, processor time of the server`,
          unit: "µs",
          ours: each(spent.ours),
          bare: each(spent.bare),
        },
      ],
      targets: [
        atLeast(
          `${name} on the socket, as quick as bare in processor time`,
          each(spent.bare) / each(spent.ours),
          minShareOfBare[name],
        ),
      ],
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
  return { socket, pid: child.pid ?? 0, close };
}
