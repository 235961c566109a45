import { test } from "node:test";
import { labAgents } from "./agents/all.ts";
import { startBench } from "./bench.ts";
import { textsArrive } from "./checks/texts.ts";

// `PANEWARD_LAB_AGENT=codex` runs one of them.
const wanted = process.env.PANEWARD_LAB_AGENT;

for (const lab of labAgents.filter(({ name }) => wanted === undefined || name === wanted)) {
  test(`${lab.name}: every text arrives to the letter, or is refused`, { timeout: 1_800_000 }, async (t) => {
    const bench = await startBench(t, lab);
    await textsArrive(bench, lab, (promise, keep) =>
      t.test(promise, (tt) => keep((line) => tt.diagnostic(`${lab.name}, ${promise}: ${line}`))),
    );
  });
}
