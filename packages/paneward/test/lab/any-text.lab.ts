import { test } from "node:test";
import { random } from "../../../tmux/test/support/random.ts";
import { labAgents } from "./agents/all.ts";
import { startBench } from "./bench.ts";
import { anyTextArrives } from "./checks/any-text.ts";

// `PANEWARD_LAB_AGENT=codex` runs one of them, `PANEWARD_LAB_TEXTS=1000` the long run.
const wanted = process.env.PANEWARD_LAB_AGENT;
const count = Number(process.env.PANEWARD_LAB_TEXTS ?? 30);

for (const lab of labAgents.filter(({ name }) => wanted === undefined || name === wanted)) {
  test(`${lab.name}: ${count} random texts in random conditions, none lost, doubled, altered or wrongly acknowledged`, {
    timeout: 300_000 + count * 60_000,
  }, async (t) => {
    const chance = random(t);
    const bench = await startBench(t, lab);
    const say = (line: string) => t.diagnostic(`${lab.name}: ${line}`);
    await anyTextArrives(bench, lab, { chance, count, clear: lab.clear, say });
  });
}
