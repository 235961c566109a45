import { createAgentHttp } from "../packages/paneward/src/system/agent-http.ts";
import { agentKinds, scriptedAgent } from "../packages/paneward/test/support/scripted-agent.ts";
import type { DaemonArena } from "./daemon-arena.ts";
import { median, percentile, timed } from "./measure.ts";
import { holds, type Result, type Row, type Target } from "./result.ts";

const prompts = 50;

/** Time until a prompt is acknowledged, for each agent; whether one is lost or delivered twice. */
export async function delivery({ client, folder }: DaemonArena): Promise<Result> {
  const rows: Row[] = [];
  const targets: Target[] = [];
  for (const kind of agentKinds) {
    const agent = scriptedAgent(folder, kind, { name: `bench-${kind}` });
    // Where it serves its events.
    const port = kind === "opencode" ? ["--port", String(await createAgentHttp().freePort([]))] : [];
    const { id } = await client.run({ argv: [...agent.argv, ...port], cwd: folder, columns: 100, rows: 30 });
    await agent.noted("ready");
    await client.wait({ ids: [id], for: [{ kind: "idle" }], timeout: 30 });
    const samples: number[] = [];
    // The first one may come before its events are followed.
    await client.send({ id, text: "SLOW 0.5 first", ack: 30 });
    await client.wait({ ids: [id], for: [{ kind: "idle" }], timeout: 30 });
    for (let at = 0; at < prompts; at++) {
      samples.push(await timed(() => client.send({ id, text: `prompt ${at}`, ack: 30 })));
    }
    const arrived = agent.prompts().slice(1);
    const lost = prompts - new Set(arrived).size;
    const doubled = arrived.length - new Set(arrived).size;
    const note = `p99 ${percentile(samples, 99).toFixed(0)} ms`;
    rows.push({ question: `a prompt to ${kind}, until acknowledged`, unit: "ms", ours: median(samples), note });
    const measured = `${lost} lost, ${doubled} doubled`;
    targets.push(holds(`${prompts} prompts to ${kind}: each arrives once`, measured, lost === 0 && doubled === 0));
    await client.stop({ id });
  }
  return { rows, targets };
}
