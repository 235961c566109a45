import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { namedFiles } from "./named-files.ts";

/** The files that run whatever they are; `<root>/` in front of those in the main checkout. */
function surely(command: string | readonly string[]): readonly string[] {
  return namedFiles(command)
    .filter((file) => file.surely)
    .map(({ path, inRoot }) => (inRoot ? `<root>/${path}` : path));
}

describe("what a command runs", () => {
  const table: readonly (readonly [string | readonly string[], readonly string[]])[] = [
    // An argv.
    [
      ["sh", "agent.sh", "<prompt>"],
      ["sh", "agent.sh"],
    ],
    [["./bin/agent", "--go", "notes.md"], ["bin/agent"]],
    [["<root>/bin/agent", "--go"], ["<root>/bin/agent"]],
    [
      ["sh", "-c", "./scripts/agent.sh; true", "<prompt>"],
      ["sh", "scripts/agent.sh", "true"],
    ],
    [
      ["bash", "-lc", '. "$1"', "x", "lib.sh"],
      ["bash", "lib.sh"],
    ],
    [
      ["sh", "-c", 'exec "$@"', "x", "python3", "tool.py"],
      ["sh", "python3", "tool.py"],
    ],
    [["../outside", "a/../../b", ".", ""], []],
    // What is written or only handed over does not run.
    ['echo "$1" > todo.txt; git add todo.txt; git commit -qm "$1"', ["echo", "git"]],
    ["make 2>log >>all.log &>more.log", ["make"]],
    ["cat < notes.txt >| copy.txt", ["cat"]],
    ['git commit -m "todo.txt done"', ["git"]],
    ["sh agent.sh todo.txt", ["sh", "agent.sh"]],
    ["awk -f sum.awk data.csv && make -f build.mk all", ["awk", "sum.awk", "make", "build.mk"]],
    // What runs, in all the ways of a shell.
    ["sh 'setup.sh' >log", ["sh", "setup.sh"]],
    ["sh $PWD/tools/x.sh", ["sh", "tools/x.sh"]],
    [`sh "\${PWD}/tools/x.sh" && sh "$(pwd)"/y.sh`, ["sh", "tools/x.sh", "y.sh"]],
    ["cd tools && ./y.sh", ["cd", "y.sh", "tools/y.sh"]],
    [
      "(cd app/web; npm ci) && sh tools/x.sh",
      ["cd", "npm", "app/web/npm", "sh", "app/web/sh", "tools/x.sh", "app/web/tools/x.sh"],
    ],
    ["cd <root> && sh x.sh", ["cd", "sh", "<root>/sh", "x.sh", "<root>/x.sh"]],
    ["sh $PANEWARD_ROOT/x.sh", ["sh", "<root>/x.sh"]],
    [". tools/*.sh", ["tools/*.sh"]],
    ["source ./env.sh; if test -f a; then sh b.sh; fi", ["source", "env.sh", "test", "sh", "b.sh"]],
    [`T=tools; sh $T/x.sh; sh \${U:-lib}/y.sh`, ["sh", "tools/x.sh", "lib/y.sh"]],
    ["env A=1 timeout 5 sh -e x.sh", ["env", "x.sh"]],
    ["node --require ./hook.js main.js data.json", ["node", "hook.js", "main.js"]],
    ["node --import=./hook.js main.js", ["node", "hook.js", "main.js"]],
    ["deno run -A job.ts data.json", ["deno", "run", "job.ts", "data.json"]],
    ["BASH_ENV=env.sh bash -c true", ["env.sh", "bash", "true"]],
    ["sh < x.sh", ["sh", "x.sh"]],
    ["cat x.sh | sh", ["cat", "x.sh", "sh"]],
    ["echo $(sh x.sh) `sh y.sh` <(sh z.sh)", ["sh", "x.sh", "y.sh", "z.sh", "echo"]],
    ["find . -exec sh x.sh {} \\;", ["find", "x.sh"]],
    ["eval 'sh x.sh'; trap 'sh y.sh' EXIT; watch 'sh z.sh'", ["eval", "sh", "x.sh", "trap", "y.sh", "watch", "z.sh"]],
    ["sh <<< 'sh x.sh' # sh comment.sh", ["sh", "sh x.sh", "x.sh"]],
    ["sh tools/../x.sh", ["sh", "tools/../x.sh"]],
    // What cannot be known without running it.
    ['sh "$HOME/x.sh"; sh $(which y)', ["sh", "which"]],
    ["sh /etc/x.sh; sh ~/y.sh", ["sh"]],
  ];
  for (const [command, files] of table) {
    test(JSON.stringify(command), () => assert.deepEqual(surely(command).toSorted(), files.toSorted()));
  }

  test("other words are files that run if they may be run by themselves", () => {
    const words = namedFiles("timeout 5 ./y.sh --config=a.toml >out").map(({ path, surely }) => [path, surely]);
    assert.deepEqual(words, [
      ["timeout", true],
      ["5", false],
      ["y.sh", false],
      ["a.toml", false],
    ]);
  });
});

test("the longest command that can be shown is read at once", () => {
  for (const piece of [
    "$(",
    "sh ",
    "make -f ",
    "cd a;",
    "'a b' ",
    "sh -c '",
    "a b",
    '"$(',
    "eval ",
    "node -a ",
    "sh -c a ",
  ]) {
    const began = performance.now();
    namedFiles(piece.repeat(Math.ceil(20_000 / piece.length)));
    assert.ok(performance.now() - began < 5_000, piece);
  }
});
