import { test } from "node:test";
import { labAgents } from "./agents/all.ts";
import { startBench } from "./bench.ts";
import { ownCommands, takesCommand } from "./checks/own-commands.ts";

const wanted = process.env.PANEWARD_LAB_AGENT;

for (const lab of labAgents.filter(({ name }) => wanted === undefined || name === wanted)) {
  test(`${lab.name}: a command of its own is taken, and the next prompt arrives`, { timeout: 900_000 }, async (t) => {
    const bench = await startBench(t, lab);
    for (const one of ownCommands[lab.name]) {
      await t.test(one.command, (tt) => takesCommand(bench, one, (line) => tt.diagnostic(`${lab.name}: ${line}`)));
    }
  });
}
