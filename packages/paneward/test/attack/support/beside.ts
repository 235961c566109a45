import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import type { TestDaemon } from "../../support/daemon.ts";
import { direct } from "../../support/direct.ts";
import { socketOf } from "./wires.ts";

/** What a ping that runs beside an attack found out. */
export interface Beside {
  /** The longest time in which the daemon answered nothing though it had a processor, in milliseconds. */
  readonly worstMs: number;
  readonly pings: number;
}

/** Pings the daemon again and again until stopped. Now and then it calls `sample`, which may ask the daemon more. */
export function pingBeside(daemon: TestDaemon, sample?: (get: Get) => Promise<void>): { stop(): Promise<Beside> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let worstMs = 0;
  let pings = 0;
  let isStopped = false;
  const pinging = (async () => {
    while (!isStopped) {
      const [began, daemonWaited, ownWaited] = [performance.now(), waitedMs(daemon.pid), waitedMs(process.pid)];
      await get(socketOf(daemon), agent, "/api/ping");
      // On a busy machine both programs stand in line for a processor, which is nobody's fault here.
      const inLine = waitedMs(daemon.pid) - daemonWaited + (waitedMs(process.pid) - ownWaited);
      worstMs = Math.max(worstMs, performance.now() - began - inLine);
      pings++;
      if (pings % 50 === 1) await sample?.((path) => get(socketOf(daemon), agent, path));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await pinging;
      agent.destroy();
      return { worstMs: Math.round(worstMs), pings };
    },
  };
}

/** The answer's text to a GET request of this path. */
export type Get = (path: string) => Promise<string>;

function get(socketPath: string, agent: Agent, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, agent, path, headers: direct() }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () => resolve(text));
    });
    asked.on("error", reject).end();
  });
}

/** How long a program's main thread has stood in line for a processor since it began. */
function waitedMs(pid: number): number {
  const [, waited = "0"] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
  return Number(waited) / 1e6;
}
