import { before, describe, test } from "node:test";
import { suiteCleanup } from "../../../tmux/test/support/suite.ts";
import { cases } from "./cases/cases.ts";
import { localWorkbench, type Workbench } from "./support/workbench.ts";

for (const door of ["http", "cli"] as const) {
  describe(`the capability on this machine through ${door}`, () => {
    const cleanup = suiteCleanup();
    let bench: Workbench;
    before(async () => {
      bench = await localWorkbench(cleanup, door);
    });
    for (const { name, run } of cases) test(name, () => run(bench));
  });
}
