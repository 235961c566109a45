import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Proposal, Question } from "@paneward/sdk";
import type { IdentifiedQuestion } from "../attention/question-identity.ts";
import { isSameQuestion, looksDifferent, withNews } from "./same-question.ts";

const options = [
  { number: 1, label: "Yes" },
  { number: 2, label: "No" },
];

function open(screenHash: string, proposal?: Proposal): Question {
  const of = { id: "q1", terminal: "t1", source: "screen", state: "open", openedAt: 1 } as const;
  const asked = { kind: "permission", text: "Do you want to proceed?", options, freeText: false } as const;
  return { ...of, ...asked, options: [...options], screenHash, ...(proposal ? { proposal } : {}) };
}

function now(hash: string, proposal?: Proposal): IdentifiedQuestion {
  const asked = {
    kind: "permission",
    text: "Do you want to proceed?",
    options,
    freeText: false,
    region: hash,
  } as const;
  return { ...asked, hash, ...(proposal ? { proposal } : {}) };
}

describe("the question that is open", () => {
  const ls = { command: "ls" };
  const proved = { whole: true, proof: "screen" } as const;
  const cases: readonly (readonly [string, Question, IdentifiedQuestion, boolean])[] = [
    ["looks the same", open("a", { command: "ls" }), now("a", { command: "ls" }), true],
    ["asks for another command in the same words", open("a", { command: "ls" }), now("b", { command: "rm x" }), false],
    [
      "would change the same file in another way",
      open("a", { path: "x", diff: "-1" }),
      now("b", { path: "x", diff: "-2" }),
      false,
    ],
    ["is drawn anew in another width, unproved", open("a.80.x", ls), now("a.60.y", ls), false],
    [
      "is drawn anew in another width, proved",
      { ...open("a.80.x", ls), ...proved },
      { ...now("a.60.y", ls), ...proved },
      true,
    ],
    [
      "is cut in another width, proved",
      { ...open("a.80.x", ls), ...proved },
      { ...now("b.60.y", ls), ...proved },
      true,
    ],
    [
      "is drawn in another width with one more blank",
      { ...open("a.80.x", { command: "rm /x" }), ...proved },
      { ...now("a.60.y", { command: "rm / x" }), ...proved },
      false,
    ],
    ["differs in a blank", { ...open("a.80.x", ls), ...proved }, { ...now("a.80.y", ls), ...proved }, false],
    ["was stored without its width", { ...open("a", ls), ...proved }, { ...now("a.80.y", ls), ...proved }, true],
    ["is a choice in another width", { ...open("a.80.x"), kind: "choice" }, { ...now("a.60.y"), kind: "choice" }, true],
    ["was reported by a hook and is drawn now", open("", { command: "ls" }), now("b", { command: "ls" }), true],
    [
      "was reported with its whole path",
      open("", { path: "/w/notes.md", diff: "-a" }),
      now("b", { path: "notes.md" }),
      true,
    ],
    [
      "was reported with its whole path, and is another file",
      open("", { path: "/w/a.md" }),
      now("b", { path: "b.md" }),
      false,
    ],
    ["is asked again on another line", open("a@80x4"), now("a@80x6"), false],
    ["is on the same line", open("a@80x4"), now("a@80x4"), true],
    ["is on another line of a pane that was made narrower", open("a@80x4"), now("a@40x6"), true],
    ["was reported by a hook, and another is drawn", open("", { command: "ls" }), now("b", { command: "rm x" }), false],
  ];
  const request = (request: string) => ({ request });
  const reported: typeof cases = [
    ["is the agent's same request, whatever is drawn", open("a", { path: "/x" }), now("b", { path: "x" }), true],
    ["is another request in the same words", open("a"), now("a"), false],
  ].map(([name, before, after, same]) => [
    name as string,
    { ...(before as Question), ...request("p1") },
    { ...(after as IdentifiedQuestion), ...request(same ? "p1" : "p2") },
    same as boolean,
  ]);
  const reportedAlone: typeof cases = [
    [
      "was reported without words, and then a request",
      open(""),
      { ...now("", { command: "ls" }), ...request("h1") },
      false,
    ],
    ["was reported, and another dialog is drawn", { ...open("", { more: "{}" }), ...request("h1") }, now("b"), false],
    [
      "was reported, and a dialog of the same beginning",
      { ...open("", { command: "ls -l" }), ...request("h1") },
      now("b", { command: "ls" }),
      false,
    ],
  ];
  for (const [name, before, after, same] of [...cases, ...reported, ...reportedAlone]) {
    test(name, () => assert.equal(isSameQuestion(before, after), same));
  }

  test("is known by what it looks like now, so that it can be answered", () => {
    assert.equal(withNews(open("a", { command: "ls" }), now("b", { command: "ls" }), 5)?.screenHash, "b");
    assert.equal(withNews(open("a", { command: "ls" }), now("a", { command: "ls" }), 5), undefined);
  });

  test("takes over what the agent reports of its own request", () => {
    const news = withNews(
      open("a", { path: "x", diff: "cut…" }),
      { ...now("a", { path: "x", diff: "+1" }), ...request("p1") },
      5,
    );
    assert.deepEqual([news?.request, news?.proposal], ["p1", { path: "x", diff: "+1" }]);
  });

  test("is as old as its dialog, which a hook reports before it is drawn", () => {
    assert.equal(withNews(open(""), now("b"), 5)?.drawnAt, 5);
    assert.equal(withNews(open("a"), now("b"), 5)?.drawnAt, undefined, "drawn anew");
  });
});

test("a dialog that is only redrawn shows nothing more; one that shows its options or its command does", () => {
  const openQuestion = open("a");
  assert.equal(looksDifferent(openQuestion, withNews(openQuestion, now("b"), 2) ?? openQuestion), false);
  assert.equal(
    looksDifferent(openQuestion, withNews(openQuestion, now("a", { command: "ls" }), 2) ?? openQuestion),
    true,
  );
  const bare: Question = { ...open(""), options: [] };
  assert.equal(looksDifferent(bare, withNews(bare, now("a"), 2) ?? bare), true);
});

test("what proves a question's proposal is kept while it is the same dialog, and only then", () => {
  const proof = (proof: "agent" | "screen") => ({ whole: true, proof }) as const;
  const part = { whole: false, doubt: "cut" } as const;
  const differs = { whole: false, doubt: "they differ", reported: { command: "ls" } } as const;
  const more = { command: "ls; rm x" };
  const cases: readonly (readonly [string, Question, IdentifiedQuestion, string, string])[] = [
    [
      "a report later",
      { ...open("a", { command: "l" }), ...part },
      { ...now("a", more), ...proof("agent") },
      "ls; rm x",
      "agent",
    ],
    [
      "a screen later",
      { ...open("a", more), ...proof("agent") },
      { ...now("a", { command: "ls" }), ...part },
      "ls; rm x",
      "agent",
    ],
    [
      "a larger pane",
      { ...open("a", { command: "ls" }), ...part },
      { ...now("a", more), ...proof("screen") },
      "ls; rm x",
      "screen",
    ],
    [
      "a report of the next dialog while this one is drawn",
      { ...open("a", { command: "ls" }), ...proof("agent") },
      { ...now("a", { command: "ls" }), ...differs },
      "ls",
      "agent",
    ],
    [
      "drawn as something else than was reported",
      { ...open("", { command: "ls" }), ...proof("agent") },
      { ...now("b", more), ...differs },
      "ls; rm x",
      "they differ",
    ],
    [
      "read, and then reported otherwise",
      { ...open("a", more), ...proof("screen") },
      { ...now("a", more), ...differs },
      "ls; rm x",
      "they differ",
    ],
    [
      "no longer reported",
      { ...open("a", more), ...differs },
      { ...now("a", more), ...proof("screen") },
      "ls; rm x",
      "they differ",
    ],
  ];
  for (const [name, before, after, command, known] of cases) {
    const next = withNews(before, after, 5) ?? before;
    assert.deepEqual([next.proposal?.command, next.proof ?? next.doubt], [command, known], name);
  }
  assert.equal(
    isSameQuestion({ ...open("", { command: "ls" }), ...proof("agent") }, { ...now("b", more), ...proof("screen") }),
    false,
    "a dialog that shows more than was reported is another one",
  );
});

test("a person who confirms what was read gets the hash of a dialog that is not proved whole", () => {
  const part = { ...open("a", { command: "ls" }), whole: false, doubt: "cut" };
  assert.equal(looksDifferent(part, { ...part, screenHash: "b" }), true);
  assert.equal(looksDifferent(open("a"), open("b")), false);
});

describe("a report that comes while a dialog is drawn is that dialog's only if it proposes the same", () => {
  const words = [
    "rm",
    "rm ",
    "rm /",
    "rm / x",
    "rm /x",
    "rm /x /y",
    "rm\t/x",
    "rm\n/x",
    "rm  /x",
    "sh -c 'rm /x'",
    "rm /x…",
  ];
  const requests: readonly Proposal[] = [
    ...words.map((command) => ({ tool: "Bash", command })),
    ...["/w/a.md", "/a.md", "/v/w/a.md", "/w/b.md"].flatMap((path) =>
      [undefined, "+1", "+1\n+2", "+2"].map((diff) => ({
        tool: "Edit",
        path,
        ...(diff === undefined ? {} : { diff }),
      })),
    ),
    ...["{}", '{"a":1}', '{"a":1,"b":2}'].flatMap((more) =>
      ["mcp__depot__order", "Fetch"].map((tool) => ({ tool, more })),
    ),
    { tool: "Fetch" },
  ];
  const report = (proposal: Proposal) => ({ ...now("", proposal), request: "h1" });
  // How agents draw a request: whole, under another name of the tool, from where they work, or cut behind any sign.
  const drawings = ({ tool, ...rest }: Proposal): readonly Question[] => [
    { ...open("a", { tool, ...rest } as Proposal), whole: true, proof: "agent" },
    {
      ...open("a", (rest.command ?? rest.path) === undefined ? ({ tool, ...rest } as Proposal) : rest),
      whole: true,
      proof: "screen",
    },
    ...Array.from(rest.command ?? "", (_, at) => ({
      ...open("a", { command: rest.command?.slice(0, at + 1) ?? "" }),
      whole: false,
      doubt: "cut",
    })),
    ...(rest.path === undefined
      ? []
      : [{ ...open("a", { path: rest.path }), whole: false, doubt: "its change is not shown" }]),
    open("a"),
    { ...open("a"), kind: "choice" as const },
  ];
  // What a shell is given is drawn without the shell, and nobody sees a blank at the end.
  const bare = ({ command, ...rest }: Proposal) =>
    JSON.stringify({ ...rest, command: command?.replace(/^sh -c '(.*)'$/, "$1").trimEnd() });

  test("another request is another question, however it is drawn", () => {
    for (const drawn of requests) {
      for (const other of requests.filter((one) => bare(one) !== bare(drawn))) {
        for (const question of drawings(drawn)) {
          const why = `${JSON.stringify(question.proposal)} ${question.whole} of ${JSON.stringify(drawn)}; ${JSON.stringify(other)}`;
          assert.equal(isSameQuestion(question, report(other)), false, why);
        }
      }
    }
  });

  test("the same request is the same question where all of it was known, and so is a report without words", () => {
    for (const one of requests) {
      for (const question of drawings(one)) {
        const isKnown = question.proof !== undefined && !/\t/.test(one.command ?? "");
        if (isKnown)
          assert.equal(isSameQuestion(question, report(one)), true, JSON.stringify([question.proposal, one]));
        assert.equal(isSameQuestion(question, now("")), true, JSON.stringify(question.proposal));
      }
    }
  });

  test("a request that proposes nothing is the dialog that asks the same", () => {
    const asks = (text: string) => ({ ...now(""), kind: "choice", text, request: "h1" }) as const;
    const colour = { ...open("a"), kind: "choice", text: "Which colour?" } as const;
    assert.equal(isSameQuestion(colour, asks("Which colour?")), true);
    assert.equal(isSameQuestion(colour, asks("Which size?")), false);
    assert.equal(isSameQuestion(open("a"), asks("Do you want to proceed?")), false);
  });

  test("a path from where the agent works is the file's, one from the root is its own", () => {
    const drawn = (path: string) => ({ ...open("a", { path }), whole: true, proof: "screen" }) as const;
    assert.equal(isSameQuestion(drawn("a.md"), report({ path: "/w/a.md" })), true);
    assert.equal(isSameQuestion(drawn("/tmp/a.md"), report({ path: "/private/tmp/a.md" })), true);
    assert.equal(isSameQuestion(drawn("/a.md"), report({ path: "/w/a.md" })), false);
  });
});
