import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { agentNamed } from "../../src/agents/registry.ts";
import type { Says } from "../../src/model/attention/evidence.ts";
import { screenHash } from "../../src/runtime/attention/question-identity.ts";
import { drawDialogs } from "./draw-dialog.ts";
import { readingOf } from "./reading.ts";
import { agentsRecorded, recordedOf } from "./recorded.ts";

for (const name of agentsRecorded()) {
  const agent = agentNamed(name, {});
  const recorded = recordedOf(name);
  describe(`${name}'s recorded screens`, () => {
    for (const { name: situation, view, expected } of recorded) {
      test(`${situation} is read as expected`, () => {
        assert.ok(agent);
        assert.deepEqual(readingOf(agent, view), expected);
      });
    }

    test("there are at least 25, and a question stays the same at any width and with any pointer", (t) => {
      assert.ok(agent?.readScreen && recorded.length >= 25, `${recorded.length} screens`);
      const regions = recorded
        .filter(({ name: one }) => /^permission-(command|pointer-moved|resized|resized-back)$/.test(one))
        .map(({ view }) => agent.readScreen?.(view)?.question?.region);
      assert.ok(new Set(regions).size <= 1, [...new Set(regions)].join("\n"));
      for (const same of [/^permission-(command|pointer-moved|resized-back)$/, /^choice(-pointer-moved)?$/]) {
        const hashes = recorded
          .filter(({ name: one }) => same.test(one))
          .map(({ view }): string => screenHash(agent.readScreen?.(view)?.question ?? { region: "" }));
        assert.ok(new Set(hashes).size <= 1, `${same}: ${hashes.join(" ")}`);
      }
      for (const line of table(name)) t.diagnostic(line);
    });

    test("a question that a shell prints is not a dialog of the agent", () => {
      const lines = ["$ sh install.sh", "1. Yes", "2. No", "Do you want to proceed? [y/N]"];
      assert.ok(agent?.readScreen);
      assert.equal(agent.readScreen({ lines, columns: 80 }), undefined);
    });
  });
}

const alike: readonly (readonly [string, string])[] = [
  ["rm -rf /tmp/x", "rm -rf / tmp/x"],
  ["echo a # rm b", "echo a #\nrm b"],
  ["touch a\n\nrm [x]b", "touch a\n\nrm b"],
  ["echo a→b\nrm x", "echo a b\nrm x"],
  ["cat x│sh\nls", "cat xsh\nls"],
  ["› rm x\nls", "  rm x\nls"],
];
for (const name of ["codex", "claude", "gemini", "opencode"] as const) {
  test(`${name}: commands that differ in a blank, a line's end or a sign of a frame are two screens to read`, () => {
    const hashOf = (command: string) => {
      const view = drawDialogs[name](command, { columns: 100, rows: 40 }, []);
      return screenHash(agentNamed(name, {})?.readScreen?.(view)?.question ?? { region: "" });
    };
    for (const [one, other] of alike) assert.notEqual(hashOf(one), hashOf(other), JSON.stringify([one, other]));
  });
}

/** How often a word is right when it is said, and said when it is right. */
function table(name: string): readonly string[] {
  const agent = agentNamed(name, {});
  const pairs = recordedOf(name).map(({ view, expected }) => ({
    said: agent?.readScreen?.(view)?.says ?? "unknown",
    is: expected.says,
  }));
  const percent = (part: number, whole: number) => (whole === 0 ? "-" : `${Math.round((100 * part) / whole)} %`);
  return (["working", "idle", "needs_input"] satisfies readonly Says[]).map((says) => {
    const right = pairs.filter(({ said, is }) => said === says && is === says).length;
    const said = pairs.filter((pair) => pair.said === says).length;
    const is = pairs.filter((pair) => pair.is === says).length;
    return `${name} ${says}: precision ${percent(right, said)}, recall ${percent(right, is)} of ${is} screens`;
  });
}
