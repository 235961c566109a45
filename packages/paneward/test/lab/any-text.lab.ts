import { appendFileSync } from "node:fs";
import { test } from "node:test";
import { random } from "../../../tmux/test/support/random.ts";
import { labAgents } from "./agents/all.ts";
import { startBench } from "./bench.ts";
import { anyTextArrives } from "./checks/any-text.ts";
import { wordsOf } from "./words-of.ts";

// `PANEWARD_LAB_AGENT=codex` runs one of them, `PANEWARD_LAB_TEXTS=1000` the long run. `PANEWARD_LAB_LOG=FILE` gets the
// figures of every 50 texts and each fault at once.
const wanted = process.env.PANEWARD_LAB_AGENT;
const count = Number(process.env.PANEWARD_LAB_TEXTS ?? 30);
const file = process.env.PANEWARD_LAB_LOG;

for (const lab of labAgents.filter(({ name }) => wanted === undefined || name === wanted)) {
  test(`${lab.name}: ${count} random texts in random conditions, none lost, doubled, altered or wrongly acknowledged`, {
    timeout: 300_000 + count * 60_000,
  }, async (t) => {
    const chance = random(t);
    const bench = await startBench(t, lab);
    const say = (line: string) => t.diagnostic(`${lab.name}: ${line}`);
    const log = (line: string) => {
      if (file !== undefined) appendFileSync(file, `${new Date().toISOString()} ${lab.name}: ${line}\n`);
    };
    await anyTextArrives(bench, lab, { words: wordsOf[lab.name], chance, count, say, log });
  });
}
