import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Question } from "@paneward/sdk";
import { agentNamed } from "../../src/agents/registry.ts";
import { hookFacts } from "../../src/runtime/hook-facts.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { afterwards, type Cleanup } from "../support/folder.ts";
import { until } from "../support/until.ts";
import type { LabAgent } from "./agents/lab-agent.ts";
import { type ScriptedModel, startModel } from "./model/server.ts";

/** A real agent in a terminal of a real daemon, with the scripted model behind it. */
export interface Bench {
  readonly daemon: TestDaemon;
  readonly model: ScriptedModel;
  readonly id: string;
  readonly project: string;
  screen(): Promise<string>;
  status(): Promise<string>;
  /** Waits until the daemon says so. */
  becomes(status: "Idle" | "Running" | "Waiting"): Promise<void>;
  asked(): Promise<Question>;
}

// Real agents start slowly on a small machine, and opencode waits for a network that is not there.
const patience = 120_000;

export async function startBench(t: Cleanup, lab: LabAgent): Promise<Bench> {
  const model = await startModel();
  afterwards(t, () => model.close());
  const daemon = await startDaemon(t);
  const { client, folder, env } = daemon;
  const project = join(folder, "shop");
  mkdirSync(project);
  const place = { home: folder, project, model: model.url };
  lab.settle(place);
  const known = agentNamed(lab.name, {});
  const facts = hookFacts({ home: env.PANEWARD_HOME ?? "" }, lab.name, join(folder, "hooks"));
  const plain = lab.argv(place);
  const { cmd } = known?.withHooks?.(plain, facts) ?? { cmd: plain };
  const run = { argv: [...cmd], cwd: project, env: { HOME: folder, ...lab.env(place) }, columns: 100, rows: 40 };
  const { id } = await client.run(run);
  const screen = async () => (await client.screen({ id })).lines.join("\n");
  const status = async () => {
    const { terminals } = await client.ps({});
    return terminals.find((terminal) => terminal.id === id)?.status ?? "gone";
  };
  const bench: Bench = {
    daemon,
    model,
    id,
    project,
    screen,
    status,
    async becomes(wanted) {
      try {
        await until(`${lab.name} is ${wanted}`, async () => (await status()) === wanted, patience);
      } catch (error) {
        throw new Error(`${(error as Error).message}; it is ${await status()} and shows\n${await screen()}`);
      }
    },
    async asked() {
      try {
        return await until("it asks", async () => (await client.questions({})).questions.at(-1), patience);
      } catch (error) {
        throw new Error(`${(error as Error).message}; it shows\n${await screen()}`);
      }
    },
  };
  await until(`${lab.name} is ready`, async () => lab.ready.test(await screen()), patience);
  await bench.becomes("Idle");
  return bench;
}
