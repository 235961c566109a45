import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { directHeaders } from "@paneward/sdk";
import type { DaemonArena } from "./daemon-arena.ts";
import { median, percentile } from "./measure.ts";
import { processorMs } from "./processes.ts";
import { atMost, type Result } from "./result.ts";

const messages = 200;
const members = 100;
const idleMs = 5_000;

/** Time until a team member gets a message, and the cost of waiting members. */
export async function teamNews({ client, socket, pid }: DaemonArena): Promise<Result> {
  await client.team_open({ team: "bench", agent: "lead" });
  const names = Array.from({ length: members }, (_, at) => `m${at}`);
  const { id } = await client.thread_start({ team: "bench", as: "lead", participants: ["m0"] });
  const times: number[] = [];
  for (let since = 0; since < messages; since++) {
    const pending = inbox(socket, "m0", since);
    const began = performance.now();
    await client.thread_post({ id, text: `message ${since}`, as: "lead" });
    await pending.answer;
    times.push(performance.now() - began);
  }
  const waiting = names.map((name) => inbox(socket, name, messages));
  await delay(500);
  const before = processorMs(pid);
  await delay(idleMs);
  const share = ((processorMs(pid) - before) / idleMs) * 100;
  for (const one of waiting) one.stop();
  await Promise.allSettled(waiting.map(({ answer }) => answer));
  const p99 = percentile(times, 99);
  return {
    rows: [
      {
        question: "a post in a thread until a member has it (median)",
        unit: "ms",
        ours: median(times),
        note: `${messages} times`,
      },
      { question: "the same, 99th percentile", unit: "ms", ours: p99 },
      {
        question: `daemon while ${members} members wait`,
        unit: "% of a core",
        ours: share,
        note: "long polling",
      },
    ],
    targets: [
      atMost("a post until a member has it, median", median(times), 50, " ms"),
      atMost(`${members} idle members`, share, 3, " %"),
    ],
  };
}

function inbox(socketPath: string, agent: string, since: number) {
  const path = `/v1/inbox?teamId=bench&agentId=${agent}&since=${since}&wait=600`;
  const gone = new AbortController();
  const answer = new Promise<void>((resolve, reject) => {
    const outgoing = request(
      { socketPath, path, headers: directHeaders, agent: false, signal: gone.signal },
      (response) => {
        response.on("end", resolve).on("error", reject).resume();
      },
    );
    outgoing.on("error", reject);
    outgoing.end();
  });
  return { answer, stop: () => gone.abort() };
}
