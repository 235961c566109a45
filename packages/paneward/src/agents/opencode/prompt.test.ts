import assert from "node:assert/strict";
import { test } from "node:test";
import { opencodePrompting } from "./prompt.ts";
import { opencodeServer } from "./server.ts";

const directory = "/shop";
const model = { providerID: "p", modelID: "m" };
const state = opencodeServer.began([{ directory }, [{ id: "s1", directory }], {}, [], []], {
  current: "s1",
  startedAt: 0,
});
const told = (id: string, info: object) => ({ info: { id, role: "user", time: { created: 5 }, ...info }, parts: [] });
const given = told("m1", { agent: "build", model });
const sessions = [
  { id: "s1", directory, title: "Fix it" },
  { id: "s2", directory, title: "Another" },
];
const providers = { providers: [{ id: "p", name: "Maker", models: { m: { name: "Model 5" } } }] };
const drawn = (says: string) => [
  "  ┃",
  "  ┃  a draft",
  "  ┃",
  `  ┃  ${says}`,
  `  ╹${"▀".repeat(40)}`,
  "  ctrl+p commands",
];

interface Case {
  readonly title?: string;
  readonly says?: string;
  readonly lines?: readonly string[];
  readonly messages?: readonly object[];
  readonly sessions?: readonly object[];
  readonly providers?: object;
}

function bodyOf(one: Case): unknown {
  const { title = "OC | Fix it", says = "Build · Model 5 Maker", messages = [given] } = one;
  const answers = [messages, one.sessions ?? sessions, one.providers ?? providers];
  const screen = { lines: one.lines ?? drawn(says), columns: 80, title };
  const request = opencodePrompting.request("!ls @", { state, answers, screen });
  if (request) assert.deepEqual([request.method, request.path], ["POST", "/session/s1/prompt_async"]);
  return request?.body;
}

const parts = [{ type: "text", text: "!ls @" }];
const long = "A title that is so long that it is cut somewhere";
const planner = told("m2", { agent: "plan", model });
const strong = told("m2", { agent: "build", model: { ...model, variant: "high" } });

for (const [name, one, body] of [
  ["to the conversation on the screen", {}, { agent: "build", model, parts }],
  [
    "as the last prompt was given",
    { messages: [given, planner], says: "Plan · Model 5 Maker" },
    { agent: "plan", model, parts },
  ],
  [
    "with the variant of its model",
    { messages: [strong], says: "Build · Model 5 Maker · high" },
    { agent: "build", model, variant: "high", parts },
  ],
  ["not with another agent than is chosen", { says: "Plan · Model 5 Maker" }, undefined],
  ["nor with another model", { says: "Build · Model 6 Maker" }, undefined],
  ["nor with another variant", { says: "Build · Model 5 Maker · high" }, undefined],
  ["nor where neither can be seen", { lines: ["nothing"] }, undefined],
  ["nor to a conversation that is not on the screen", { title: "OC | Another" }, undefined],
  ["nor from its first screen, or one without a title", { title: "OpenCode" }, undefined],
  ["nor where two conversations have this title", { sessions: [...sessions, { ...sessions[0], id: "s3" }] }, undefined],
  [
    "while one of another folder with this title does not matter",
    { sessions: [...sessions, { id: "s3", directory: "/other", title: "Fix it" }] },
    { agent: "build", model, parts },
  ],
  [
    "also where the title is cut",
    { sessions: [{ id: "s1", directory, title: long }], title: `OC | ${long.slice(0, 37)}…` },
    { agent: "build", model, parts },
  ],
  ["nor without a prompt to go on from", { messages: [] }, undefined],
  ["nor with a model that is not known any more", { providers: { providers: [] } }, undefined],
  ["nor from answers of another shape", { messages: "?" as never, sessions: {} as never }, undefined],
] satisfies readonly (readonly [string, Case, object | undefined])[]) {
  test(`a prompt over HTTP: ${name}`, () => assert.deepEqual(bodyOf(one), body));
}

test("nothing is read while no conversation is known", () => {
  assert.equal(opencodePrompting.reads({ ...state, current: undefined }), undefined);
});

test("the prompts in its conversation are those of a person, in their words", () => {
  const written = (role: string, ...texts: object[]) => ({
    info: { id: "m3", role, time: { created: 7 } },
    parts: texts.map((text) => ({ type: "text", ...text })),
  });
  const messages = [
    written("user", { text: "go on" }, { text: "added", synthetic: true }),
    written("assistant", { text: "no" }),
  ];
  assert.deepEqual(opencodePrompting.given([messages]), [{ text: "go on", at: 7, called: "m3" }]);
  assert.deepEqual(opencodePrompting.given(["?"]), []);
});
