import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { End } from "@paneward/sdk";
import type { Cleanup } from "../../../test/support/folder.ts";
import { memoryTasks } from "../../../test/support/memory-tasks.ts";
import { runSpec } from "../../../test/support/memory-world.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { restartTerminal } from "./resume.ts";

/** An agent whose conversation `s1` is known. */
async function ended(t: Cleanup, { argv, end, afterMs = 60_000, said = true, session = "s1" }: Case) {
  const world = await memoryTasks(t, { agents: { claude: { cmd: argv ?? ["claude"] } } });
  const { store, clock, terminals, agents, supervisor, deps } = world;
  const record = await supervisor.run({ ...runSpec, argv: argv ?? ["claude"] });
  const agent = agents.of(record.id);
  if (agent) {
    agents.learned(agent.id, { session_id: session });
    if (said) agents.said(agent.id, { actor: "user", intent: "command", text: "hello", way: "told" });
  }
  await clock.advance(afterMs);
  if (end) terminals.end(record.place as never, end);
  await restartTerminal(deps, store.terminal(record.id) as TerminalRecord);
  return { ...world, agent, again: terminals.log.at(-1)?.replace("respawn %1 ", "") };
}

interface Case {
  readonly argv?: readonly string[];
  readonly end?: End;
  readonly afterMs?: number;
  readonly said?: boolean;
  readonly session?: string;
}

describe("a restarted agent", () => {
  const failed: End = { kind: "exited", code: 1 };
  const table: readonly (readonly [string, Case, string])[] = [
    ["resumes its conversation", {}, "claude --resume s1"],
    ["resumes after it exited", { end: { kind: "exited", code: 0 } }, "claude --resume s1"],
    ["resumes after it failed long after its start", { end: failed, afterMs: 15_000 }, "claude --resume s1"],
    ["starts over after it failed at once: the conversation may be lost", { end: failed, afterMs: 14_999 }, "claude"],
    ["starts over when nothing was said: empty conversations are not saved", { said: false }, "claude"],
    ["keeps a person's own arguments, and starts over", { argv: ["claude", "do it"] }, "claude do it"],
    [
      "resumes when it is run by a script's interpreter",
      { argv: ["node", "/x/claude.js"] },
      "node /x/claude.js --resume s1",
    ],
    ["that is not known is simply run again", { argv: ["vim"] }, "vim"],
  ];
  for (const [what, given, argv] of table) {
    test(what, async (t) => {
      const { again, agents, agent } = await ended(t, given);
      assert.equal(again, argv);
      const resumed = argv.includes("s1");
      if (agent) assert.equal(agents.of("t1")?.id === agent.id, resumed, "the same agent");
      if (agent) assert.equal(agents.of("t1")?.endedAt, undefined);
    });
  }
});

test("a conversation whose id is no name is not resumed: ids come from hooks and files, and would be options", async (t) => {
  const dangerous = [
    "--dangerously-skip-permissions",
    "-c",
    "../s1",
    "/home/me/s1.jsonl",
    "s1 --yolo",
    "",
    "s1\n",
    "$(id)",
  ];
  for (const session of dangerous) {
    const { again } = await ended(t, { session });
    assert.equal(again, "claude", JSON.stringify(session));
  }
});

describe("a restarted task", () => {
  for (const [what, cmd, argv] of [
    ["resumes without its prompt", ["claude", "-x"], /^claude -x .*--resume s1$/],
    ["whose command places the prompt starts over", ["claude", "<prompt>"], /^claude hello there$/],
  ] as const) {
    test(what, async (t) => {
      const { started, store, agents, terminals, deps, clock } = await memoryTasks(t, { agents: { claude: { cmd } } });
      await started("hello there", { agent: "claude" });
      agents.learned(agents.of("t1")?.id ?? "", { session_id: "s1" });
      await clock.advance(60_000);
      await restartTerminal(deps, store.terminal("t1") as TerminalRecord);
      assert.match(terminals.log.at(-1)?.replace("respawn %1 ", "") ?? "", argv);
    });
  }
});
