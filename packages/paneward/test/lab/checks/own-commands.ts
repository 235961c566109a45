import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import type { LabAgent } from "../agents/lab-agent.ts";
import type { Bench } from "../bench.ts";
import { held } from "./deliveries.ts";

interface OwnCommand {
  readonly command: string;
  /** It opens something that takes all keys, until it is left with Escape. */
  readonly opens?: true;
}

/** Harmless ones, with and without words behind them. */
export const ownCommands: Readonly<Record<LabAgent["name"], readonly OwnCommand[]>> = {
  claude: [{ command: "/help", opens: true }, { command: "/cost", opens: true }, { command: "/rename my words" }],
  codex: [{ command: "/status" }, { command: "/rename my words" }],
  gemini: [{ command: "/help" }, { command: "/stats model" }],
  opencode: [
    { command: "/new" },
    { command: "/models", opens: true },
    { command: "/status", opens: true },
    { command: "/help", opens: true },
  ],
  pi: [{ command: "/session" }, { command: "/name my words" }],
};

/** A command is taken, is no prompt, and leaves nothing in the way of the next one. */
export async function takesCommand(
  bench: Bench,
  { command, opens }: OwnCommand,
  say: (line: string) => void,
): Promise<void> {
  const { daemon, model, id, becomes, screen } = bench;
  const { client } = daemon;
  await becomes("Idle");
  const before = model.prompts.length;
  const began = performance.now();
  const { state, reason } = await client.send({ id, text: command, command: true, ack: 60 });
  say(`${command} is ${state} after ${Math.round(performance.now() - began)} ms: ${reason}`);
  assert.ok(state === "acknowledged" || state === "unknown", `${state}: ${reason}; the screen is\n${await screen()}`);
  const next = `after ${command.slice(1)}`;
  if (opens) {
    await client.send({ id, text: next });
    await held(bench, next);
    await client.send({ id, keys: ["Escape"] });
  } else await client.send({ id, text: next, ack: 60 });
  await until("the next prompt arrives", () => model.prompts.includes(next), 60_000).catch(async () => {
    assert.fail(`the next prompt never arrived; the screen is\n${await screen()}`);
  });
  await becomes("Idle");
  const { deliveries } = await client.deliveries({ id, limit: 10 });
  assert.deepEqual(
    deliveries.filter(({ state: now }) => now !== "acknowledged" && now !== "unknown"),
    [],
  );
  // Claude Code puts a command and its output in front of the next prompt.
  const given = model.prompts.slice(before).filter((prompt) => !/^<(command-name|local-command-)/.test(prompt));
  assert.deepEqual(given, [next]);
}
