import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, json } from "../http/support/ask.ts";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

// The dialog for a server's tool as Codex draws it (test/screens/codex/permission-mcp), for two calls one after the other.
const program = `
const fs = require("fs");
const tools = ["drop", "show"];
const draw = () => {
  const [tool] = tools;
  process.stdout.write("\\x1b[2J\\x1b[H" + (tool ? [
    "", "  Field 1/1", '  Allow the db MCP server to run tool "' + tool + '"?', "", "  table: orders", "",
    "  › 1. Allow                   Run the tool and continue",
    "    2. Allow for this session  Run the tool and remember this choice for this session",
    "    3. Always allow            Run the tool and remember this choice for future tool calls",
    "    4. Cancel                  Cancel this tool call", "  enter to submit | esc to cancel"] : ["• done"]).join("\\r\\n"));
};
process.stdin.setRawMode(true);
process.stdin.on("data", (data) => {
  if (String(data) !== "1") return;
  fs.appendFileSync("approved", tools.shift() + "\\n");
  draw();
});
draw();
`;

test("of two tools that are given the same, an answer approves the one that was shown", async (t) => {
  const { client, folder, env } = await startDaemon(t);
  mkdirSync(join(folder, "bin"));
  const argv = [join(folder, "bin", "codex")];
  writeFileSync(join(folder, "bin", "program.cjs"), program);
  writeFileSync(argv[0] ?? "", `#!/bin/sh\nexec ${process.execPath} ${folder}/bin/program.cjs\n`);
  chmodSync(argv[0] ?? "", 0o755);
  const { id, pane = "" } = await client.run({ argv, cwd: folder, name: "codex" });
  const tmux = ["-S", env.PANEWARD_TMUX_SOCKET_PATH ?? "", "display-message", "-p", "#{pid}"];
  const server = execFileSync("tmux", tmux, { encoding: "utf8" }).trim();
  const origin = { session_id: "s", tmux_pane: pane, tmux: `x,${server},0`, cwd: folder };
  const asks = (tool: string) => {
    const call = { tool_name: `mcp__db__${tool}`, tool_input: { table: "orders" } };
    const payload = { ...origin, hook_event_name: "PermissionRequest", ...call };
    return ask(env.PANEWARD_SOCKET_PATH ?? "", json("POST", "/hook/event?agent=codex", payload));
  };
  // The hooks of parallel calls race: the dialog of the one that was reported last is drawn first.
  await asks("show");
  await asks("drop");
  for (const tool of ["drop", "show"]) {
    const question = await until(`it asks to ${tool}`, async () => {
      const { questions } = await client.questions({});
      return questions.find((one) => one.terminal === id && one.screenHash !== "" && one.text.includes(`"${tool}"`));
    });
    assert.deepEqual([question.proposal?.tool, question.proof], [`mcp__db__${tool}`, "agent"]);
    await client.respond({ id, option: 1, question: question.id });
    const approved = join(folder, "approved");
    await until(
      `${tool} is approved`,
      async () => existsSync(approved) && readFileSync(approved, "utf8").includes(tool),
    );
  }
});
