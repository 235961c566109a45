import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Question } from "@paneward/sdk";
import type { Hooked } from "../../src/agents/agent.ts";
import { agentNamed } from "../../src/agents/registry.ts";
import { installHooks } from "../../src/hooks/install.ts";
import { hookFacts } from "../../src/runtime/witnesses/hook-facts.ts";
import { createAgentHttp } from "../../src/system/agent-http.ts";
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
  const { PANEWARD_HOME: home = "", PANEWARD_SOCKET_PATH: socket = "" } = env;
  const { installed, asks } = hooksOf(lab) ?? {};
  if (installed)
    await installHooks({ agent: installed, settings: undefined, env: { HOME: folder }, places: { home, socket } });
  const known = agentNamed(lab.name, {});
  const server = { port: await createAgentHttp().freePort([]), user: "paneward", password: "of the lab" };
  const facts = hookFacts({ home }, lab.name, join(folder, "hooks"), server);
  const plain = lab.argv(place);
  const hooked: Hooked = known?.withHooks?.(plain, { ...facts, evenIfAsked: asks !== undefined }) ?? { cmd: plain };
  const variables = { HOME: folder, ...lab.env(place), ...hooked.env };
  const run = { argv: [...hooked.cmd], cwd: project, env: variables, columns: 100, rows: 40 };
  const { id } = await client.run(run);
  // Gemini and opencode outlive their window, and write into their home until they end.
  afterwards(t, async () => {
    await client.stop({ id });
  });
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
  if (asks) {
    assert.match((await bench.asked()).text, asks.text);
    await client.respond({ id, option: asks.option });
  }
  await bench.becomes("Idle");
  return bench;
}

/** `PANEWARD_LAB_HOOKS=off`: as Codex and Gemini are for whoever did nothing for their hooks. */
export function hooksOf({ hooks }: LabAgent): LabAgent["hooks"] {
  return process.env.PANEWARD_LAB_HOOKS === "off" ? undefined : hooks;
}
