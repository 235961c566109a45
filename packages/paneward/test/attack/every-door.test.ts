import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question } from "@paneward/sdk";
import { waitTool } from "../../src/mcp/wait-tool.ts";
import { questionLines } from "../../src/tui/state/question-lines.ts";
import { paneward } from "../cli/support/cli.ts";
import { fakeDaemon } from "../cli/support/fake-daemon.ts";

const parts = (mark: string) => ({
  ...{ tool: `mcp__ops__${mark}`, command: `ls ${mark}`, path: `/srv/${mark}`, diff: `+1 ${mark}\n+2 ${mark}` },
  more: `{\n  "host": "${mark}-db"\n}`,
});
const [proposal, reported] = [parts("drawn"), parts("reported")];
const question: Question = {
  ...{ id: "q1", terminal: "t1", kind: "permission", text: "May it?", options: [], freeText: false, source: "hook" },
  ...{ screenHash: "", state: "open", openedAt: 1, proposal, whole: false, reported },
};
const wanted = [proposal, reported].flatMap((one) => Object.values(one).flatMap((part) => part.split("\n")));

function showsAll(door: string, text: string): void {
  for (const line of wanted) assert.ok(text.includes(line.trim()), `${door} does not show ${line}:\n${text}`);
}

test("every door shows every part of what would be done, and of what was reported", async (t) => {
  const { env } = await fakeDaemon(t, { questions: () => ({ questions: [question as never] }) });
  showsAll("paneward questions", (await paneward(["questions"], { env })).stdout);
  const lines = questionLines(question, 200, []).map(({ text }) => text);
  showsAll("the terminal interface", lines.join("\n"));
  const client = { wait: async () => ({ results: [{ kind: "needs_input", id: "t1", question }] }) } as never;
  const call = { client, signal: new AbortController().signal, folder: undefined, progress: undefined };
  const { text } = await waitTool.answer({ ids: ["t1"], for: [{ kind: "needs_input" }], mode: "any" }, call);
  showsAll("terminal_wait", text);
});
