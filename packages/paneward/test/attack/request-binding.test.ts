import assert from "node:assert/strict";
import { test } from "node:test";
import { withApproval } from "../../src/agents/approval.ts";
import { agentNamed } from "../../src/agents/registry.ts";
import type { Evidence } from "../../src/model/attention/evidence.ts";
import { judge } from "../../src/model/attention/judge.ts";
import { askedBy } from "../../src/runtime/attention/asked-question.ts";
import { type IdentifiedQuestion, withHash } from "../../src/runtime/attention/question-identity.ts";
import { drawDialogs } from "../screens/draw-dialog.ts";
import { recordedOf } from "../screens/recorded.ts";

interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}
type Kind = "codex" | "claude";

/** The dialog for a call, as the real program draws it. */
function screenOf(kind: Kind, { tool, input }: Call) {
  const agent = agentNamed(kind, {});
  const [, server = "", name = ""] = /^mcp__(\w+?)__(\w+)$/.exec(tool) ?? [];
  const view = recordedOf(kind).find((one) => one.name === "permission-mcp")?.view;
  if (server === "" || !view) {
    return agent?.readScreen?.(drawDialogs[kind](String(input.command), { columns: 100, rows: 40 }, []))?.question;
  }
  const title = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const write = kind === "codex" ? String : (value: unknown) => JSON.stringify(value);
  const facts = Object.entries(input).map(([key, value]) => `${kind === "codex" ? "  " : " "}${key}: ${write(value)}`);
  const lines = view.lines.flatMap((line) => {
    if (/^ +amount: 4/.test(line)) return facts;
    if (/^ +part: "?wheel/.test(line)) return [];
    return [
      line
        .replace("the depot MCP", `the ${server} MCP`)
        .replace('"order"', `"${name}"`)
        .replace("depot — Order", `${server} — ${title}`),
    ];
  });
  return agent?.readScreen?.({ ...view, lines })?.question;
}

function reported(kind: Kind, { tool, input }: Call, request: string): IdentifiedQuestion {
  const payload = { tool_name: tool, tool_input: input };
  const question = agentNamed(kind, {})?.readHook?.("PermissionRequest", payload)?.question;
  assert.ok(question);
  return withHash({ ...question, request });
}

function shownFor(kind: Kind, drawn: Call, open: readonly Call[]): IdentifiedQuestion | undefined {
  const seen = screenOf(kind, drawn);
  assert.ok(seen, "the dialog is read");
  const [question, ...others] = open.map((call, at) => reported(kind, call, `r${at}`));
  assert.ok(question);
  const dialog = withHash(withApproval(seen, agentNamed(kind, {})?.approval));
  const evidence: Evidence<IdentifiedQuestion>[] = [
    { witness: "hook", says: "needs_input", rule: "it asks", at: 100, question, others },
    { witness: "screen", says: "needs_input", rule: "a dialog", at: 200, seenAt: 300, question: dialog },
  ];
  return askedBy(judge(evidence, 300), evidence, 300, true).question;
}

const bash = (command: string): Call => ({ tool: "Bash", input: { command } });
const db = (name: string, input: Call["input"]): Call => ({ tool: `mcp__db__${name}`, input });
const [listed, orders, tools] = [{ note: "ls -la" }, { table: "orders" }, { table: "tools" }];
const all = { ...orders, cascade: true };

const cases: readonly (readonly [string, drawn: Call, open: readonly Call[], bound: boolean])[] = [
  ["a blank", bash("rm -rf / tmp/x"), [bash("rm -rf /tmp/x"), bash("rm -rf / tmp/x")], true],
  ["a blank, of the other alone", bash("rm -rf / tmp/x"), [bash("rm -rf /tmp/x")], false],
  ["a line's end", bash("echo a #\nrm b"), [bash("echo a # rm b"), bash("echo a #\nrm b")], true],
  ["a line's end, of the other alone", bash("echo a #\nrm b"), [bash("echo a # rm b")], false],
  ["a command inside a tool's input", db("drop", listed), [bash("ls -la"), db("drop", listed)], true],
  ["a command inside a tool's input, alone", db("drop", listed), [bash("ls -la")], false],
  ["a short command", db("drop", tools), [bash("ls"), db("drop", tools)], true],
  ["a short command, alone", db("drop", tools), [bash("ls")], false],
  ["two tools with one value", db("drop", orders), [db("show", orders), db("drop", orders)], true],
  ["another tool alone", db("drop", orders), [db("show", orders)], false],
  ["one field more", db("drop", all), [db("drop", orders), db("drop", all)], true],
  ["one field more, and less is reported", db("drop", all), [db("drop", orders)], false],
  ["one field less, and more is reported", db("drop", orders), [db("drop", all)], false],
  ["a tool that runs a command", bash("ls"), [{ tool: "mcp__ops__exec", input: { command: "ls", host: "db" } }], false],
  ["a shell that replaces a part", bash("echo '$(rm x)'"), [bash("sh -c \"echo '$(rm x)'\"")], false],
];
for (const kind of ["codex", "claude"] as const) {
  for (const [name, drawn, open, bound] of cases) {
    test(`${kind}, ${name}: what is called whole is what its dialog asks, and an answer goes there`, () => {
      const question = shownFor(kind, drawn, open);
      const found = JSON.stringify({ drawn, shown: question });
      const truth = open.findIndex((one) => JSON.stringify(one) === JSON.stringify(drawn));
      assert.equal(question?.request, bound ? `r${truth}` : undefined, found);
      if (bound)
        assert.deepEqual([question?.proof, question?.proposal], ["agent", reported(kind, drawn, "").proposal], found);
      else if (question?.whole === true) assert.equal(question.proposal?.command, drawn.input.command, found);
      if (!bound) assert.notEqual(question?.proof, "agent", found);
    });
  }

  test(`${kind}: of two requests that look the same on its screen, neither is bound`, () => {
    const question = shownFor(kind, bash("ls"), [bash("bash -lc 'ls'"), bash("ls")]);
    assert.deepEqual([question?.request, question?.whole], [undefined, false]);
  });
}
