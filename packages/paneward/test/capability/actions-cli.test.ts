import { before, describe, test } from "node:test";
import { suiteCleanup } from "../../../tmux/test/support/suite.ts";
import { cases } from "./cases/cases.ts";
import { localWorkbench, type Workbench } from "./support/workbench.ts";

// Each call is a process. What is typed and printed is the same as through http, so each kind of action is taken once
// here, with every refusal, and all cases in the long tests.
const long = process.env.PANEWARD_SOAK !== undefined;
const each =
  /^(init makes|split tells|list shows|a window's number|send tells|the body|read tells|clear|wait ends with the|a rec|a lay|a pane or|every|the last|a folder|text is)/;

describe("the capability on this machine through cli", () => {
  const cleanup = suiteCleanup();
  let bench: Workbench;
  before(async () => {
    bench = await localWorkbench(cleanup, "cli");
  });
  for (const { name, run } of cases.filter((one) => long || each.test(one.name))) test(name, () => run(bench));
});
