import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzz, hostileText } from "../../test/support/random.ts";
import { controlLine, literal, pipeCommand, posixArgument, spawnArguments } from "./quote.ts";

test("in control mode every argument is quoted and every special character is octal", () => {
  assert.equal(
    controlLine([["send-keys", "-l", "--", 'a"$;\\\n~#']]),
    '"send-keys" "-l" "--" "a\\042\\044\\073\\134\\012\\176\\043"',
  );
});

test("commands on one line are separated by a bare semicolon", () => {
  assert.equal(controlLine([["a"], ["b", ";"]]), '"a" ; "b" "\\073"');
});

test("a spawned tmux gets a trailing semicolon escaped and separators bare", () => {
  assert.deepEqual(
    spawnArguments([
      ["a", "x;"],
      ["b", ";", "\\;"],
    ]),
    ["a", "x\\;", ";", "b", "\\;", "\\\\;"],
  );
});

test("both transports refuse NUL before anything is sent", () => {
  const refused = { type: "send_failed", delivered: "no" };
  assert.throws(() => controlLine([["a", "b\0c"]]), refused);
  assert.throws(() => spawnArguments([["a", "b\0c"]]), refused);
});

test("a shell argument stays unquoted only if it is harmless", () => {
  assert.equal(posixArgument("/usr/bin/x-1.2:@%+,"), "/usr/bin/x-1.2:@%+,");
  assert.equal(posixArgument(""), "''");
  assert.equal(posixArgument("~"), "'~'");
  assert.equal(posixArgument("it's"), "'it'\\''s'");
});

test("text for a format escapes what tmux would expand, and keeps styles", () => {
  assert.equal(literal("#(id) ## #{x} #[y ##[z #"), "##(id) #### ##{x} #[y ##[z ##");
  assert.equal(pipeCommand("exec split - /a%Y#S-"), "exec split - /a%%Y##S-");
});

test("no text breaks out of its quotes in control mode", () =>
  fuzz((random) => {
    const args = ["x", hostileText(random), hostileText(random)];
    const line = controlLine([args, ["y"]]);
    assert.match(
      line,
      /^"x" "(?:[A-Za-z0-9 _./:=@,+\u0080-\u{10ffff}-]|\\[0-7]{3})*" "(?:[^"\\]|\\[0-7]{3})*" ; "y"$/u,
    );
    const read = [...line.matchAll(/"([^"]*)"/g)].map(([, text = ""]) =>
      text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))),
    );
    assert.deepEqual(read, [...args, "y"]);
  }));

test("no text ends a command of a spawned tmux early", () =>
  fuzz((random) => {
    const args = ["x", hostileText(random), `${hostileText(random)};`];
    assert.deepEqual(asTmuxReads(spawnArguments([args, ["y"]])), [args, ["y"]]);
  }));

test("a POSIX shell reads back any quoted text", () =>
  fuzz((random) => {
    const text = hostileText(random);
    assert.equal(asShellReads(posixArgument(text)), text);
  }));

// cmd_parse_from_arguments: a trailing ; ends the command, a trailing \; is a semicolon.
function asTmuxReads(argv: readonly string[]): string[][] {
  const commands: string[][] = [[]];
  for (const arg of argv) {
    const escaped = arg.endsWith("\\;");
    const ends = arg.endsWith(";") && !escaped;
    const text = escaped ? `${arg.slice(0, -2)};` : ends ? arg.slice(0, -1) : arg;
    if (text !== "" || !ends) commands.at(-1)?.push(text);
    if (ends) commands.push([]);
  }
  return commands;
}

function asShellReads(word: string): string {
  return word.replace(/'([^']*)'|\\(.)|([^'\\]+)/gs, (_, quoted, escaped, bare) => quoted ?? escaped ?? bare);
}
