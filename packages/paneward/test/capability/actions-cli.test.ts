import { before, describe, test } from "node:test";
import { suiteCleanup } from "../../../tmux/test/support/suite.ts";
import { eachAction } from "./cases/cases.ts";
import { localWorkbench, type Workbench } from "./support/workbench.ts";

describe("the capability on this machine through cli", () => {
  const cleanup = suiteCleanup();
  let bench: Workbench;
  before(async () => {
    bench = await localWorkbench(cleanup, "cli");
  });
  for (const { name, run } of eachAction) test(name, () => run(bench));
});
