import { before, test } from "node:test";
import { lacksContainers } from "../../../tmux/test/support/podman.ts";
import { suiteThatNeeds } from "../../../tmux/test/support/suite.ts";
import { cases } from "./cases/cases.ts";
import { containerWorkbench, type Workbench } from "./support/workbench.ts";

// A container answers slowly: each action once here, all cases through both doors in the long tests.
const long = process.env.PANEWARD_SOAK !== undefined;
const each = /^(init makes|split tells|list shows|send tells|the last pane|a window's number)/;
const doors = long ? (["http", "cli"] as const) : (["http"] as const);
const chosen = cases.filter(({ name }) => long || each.test(name));

for (const door of doors) {
  suiteThatNeeds(
    `the capability in a container through ${door}`,
    lacksContainers(),
    (suite) => {
      let bench: Workbench;
      before(async () => {
        bench = await containerWorkbench(suite, door);
      });
      for (const { name, run } of chosen) test(name, () => run(bench));
    },
    1,
  );
}
