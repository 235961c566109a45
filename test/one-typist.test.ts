import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { withoutComments } from "./support/agent-words.ts";
import { files, text } from "./support/repository.ts";

// Text and keys reach a pane through `runtime/courier/typist.ts` and its queue. Three fences keep it so:
// tmux's input commands, the driver's functions that send them, and the port that the typist holds.

interface Fence {
  readonly what: string;
  readonly found: RegExp;
  readonly allowed: readonly string[];
}

const driver = "packages/tmux/src/input.ts";
const adapter = "packages/paneward/src/terminals/pane-input.ts";
const port = "packages/paneward/src/runtime/ports/pane-input.ts";
const typist = "packages/paneward/src/runtime/courier/typist.ts";
const services = "packages/paneward/src/daemon/services.ts";
const daemon = "packages/paneward/src/daemon.ts";

const fences: readonly Fence[] = [
  {
    what: "names an input command of tmux",
    // tmux also takes its aliases and every beginning of a name that fits one command: `send-k`, `pasteb`. `send` is a word
    // of our own as well, so it counts only as the first of an argv with a flag behind it. `if-shell`, hooks and bindings take
    // a whole command line.
    found:
      /["'`](?:[^"'`\n]*[\s;{])?(?:send-[kp][a-z]*|paste-b[a-z]*|load-b[a-z]*|set-b[a-z]*|pasteb|loadb|setb)(?=["'`\s])|\[\s*["'`]send["'`],\s*["'`]-/,
    // pi's own team runs on a tmux server of its own, without a daemon.
    allowed: [driver, adapter, "packages/pi/src/team/tmux-argv.ts"],
  },
  {
    what: "takes an input function of the driver",
    found:
      /import[^;]*\b(?:sendText|sendKeys|sendRaw)\b[^;]*from "@paneward\/tmux"|import \* as \w+ from "@paneward\/tmux"/,
    allowed: [adapter],
  },
  { what: "makes the input port", found: /\bcreatePaneInput\b/, allowed: [adapter, daemon] },
  { what: "holds the input port", found: /\bPaneInput\b/, allowed: [adapter, port, typist, services] },
  { what: "makes a typist", found: /\bnew Typist\(/, allowed: [services] },
];

function faults(path: string, source: string): readonly string[] {
  return fences
    .filter(({ found, allowed }) => found.test(withoutComments(source)) && !allowed.includes(path))
    .map(({ what }) => `${path} ${what}`);
}

describe("one typist", () => {
  const sources = files("packages/*/src/**/*.ts", "packages/*/src/**/*.tsx").filter((path) => !path.includes(".test."));

  test("nothing types into a pane beside it", () => {
    assert.ok(sources.length > 100, "the source was found");
    assert.deepEqual(
      sources.flatMap((path) => faults(path, text(path))),
      [],
    );
  });

  test("each fence has its gate: what is allowed is there", () => {
    for (const { what, found, allowed } of fences) {
      for (const path of allowed) assert.ok(found.test(text(path)), `${path} no longer ${what}`);
    }
  });

  test("the typist is made once, and the input port given to it alone", () => {
    const source = text(services);
    assert.equal(source.match(/\bnew Typist\(/g)?.length, 1);
    assert.deepEqual(source.match(/\binput\b/g)?.length, 2, "its parameter, and the typist's");
    assert.equal(text(daemon).match(/\bcreatePaneInput\(/g)?.length, 1);
  });

  const violations: readonly (readonly [string, string])[] = [
    ["names an input command of tmux", 'await host.server.run([["send-keys", "-t", pane, "Enter"]]);'],
    ["names an input command of tmux", "run([['paste-buffer', '-t', pane]]);"],
    ["names an input command of tmux", "run([['send-k', pane]]);"],
    ["names an input command of tmux", 'run([["if-shell", "-F", "1", "send-keys y"]]);'],
    ["names an input command of tmux", "run([['set-hook', name, `display x ; paste-buffer -t %1`]]);"],
    ["names an input command of tmux", 'run([["send", "-t", pane, "y"]]);'],
    ["takes an input function of the driver", 'import {\n  capture,\n  sendText,\n} from "@paneward/tmux";'],
    ["takes an input function of the driver", 'import * as tmux from "@paneward/tmux";'],
    ["makes the input port", "const input = createPaneInput(hosts);"],
    ["holds the input port", 'import type { PaneInput } from "../ports.ts";'],
    ["makes a typist", "const mine = new Typist(input, clock);"],
  ];
  for (const [what, source] of violations) {
    test(`sees what ${what}: ${source.replaceAll("\n", " ")}`, () => {
      assert.deepEqual(faults("packages/paneward/src/x.ts", source), [`packages/paneward/src/x.ts ${what}`]);
    });
  }
});
