import assert from "node:assert/strict";
import type { Client, Delivery } from "@paneward/sdk";
import { until } from "../../support/until.ts";

/**
 * Waits until what a program prints is kept. It answers each line with `got` and the line. tmux 3.3a notices a pipe that is
 * gone by the next output, which is lost then; a reader learns that something is.
 */
export async function keepsOutput(client: Client, id: string, label: string): Promise<void> {
  const words: string[] = [];
  let sent: Delivery | undefined;
  await until(`the output of ${id} is kept: ${label}`, async () => {
    const word = `word-${Math.round(performance.now())}`;
    words.push(word);
    sent = await client.send({ id, text: word });
    const isKept = () => client.read({ id }).then(({ output }) => output.includes(`got ${word}\n`));
    return until("it is read", isKept, 3_000).catch(() => false);
  }).catch(async (cause: Error) => {
    const [screen, explained] = [await client.screen({ id }), await client.explain({ id })];
    const found = { sent, explained, screen: screen.lines.filter(Boolean).slice(-3) };
    throw new Error(`${cause.message}\n${JSON.stringify(found)}`, { cause });
  });
  const { missed, output } = await client.read({ id });
  const isWhole = words.every((word) => output.includes(`got ${word}\n`));
  assert.ok(isWhole || missed > 0, `${label}: nothing says that output of ${id} is missing`);
}
