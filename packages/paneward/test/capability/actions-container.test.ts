import { before, test } from "node:test";
import { lacksContainers } from "../../../tmux/test/support/podman.ts";
import { suiteThatNeeds } from "../../../tmux/test/support/suite.ts";
import { cases } from "./cases/cases.ts";
import { containerWorkbench, type Workbench } from "./support/workbench.ts";

// Containers are slow: one case per action here; all cases through both doors in the soak tests.
const long = process.env.PANEWARD_SOAK !== undefined;
const onePerAction = /^(init creates|split returns|list shows|send returns|the last pane|a window's number)/;
const doors = long ? (["http", "cli"] as const) : (["http"] as const);
const chosen = cases.filter(({ name }) => long || onePerAction.test(name));

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
