import { before, test } from "node:test";
import { lacksContainers } from "../../../tmux/test/support/podman.ts";
import { suiteThatNeeds } from "../../../tmux/test/support/suite.ts";
import { cases } from "./cases/cases.ts";
import { containerWorkbench, type Workbench } from "./support/workbench.ts";

for (const door of ["http", "cli"] as const) {
  suiteThatNeeds(
    `the capability in a container through ${door}`,
    lacksContainers(),
    (suite) => {
      let bench: Workbench;
      before(async () => {
        bench = await containerWorkbench(suite, door);
      });
      for (const { name, run } of cases) test(name, () => run(bench));
    },
    1,
  );
}
