import { before, describe, test } from "node:test";
import { suiteCleanup } from "../../../tmux/test/support/suite.ts";
import { cases } from "./cases/cases.ts";
import { localWorkbench, type Workbench } from "./support/workbench.ts";

describe("the capability on this machine through http", () => {
  const cleanup = suiteCleanup();
  let bench: Workbench;
  before(async () => {
    bench = await localWorkbench(cleanup, "http");
  });
  for (const { name, run } of cases) test(`here: ${name}`, () => run(bench));
});
