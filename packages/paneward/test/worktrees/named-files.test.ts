import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { namedFiles } from "../../src/model/named-files.ts";
import { createWorktrees } from "../../src/worktrees/worktrees.ts";
import { fails } from "./support/failure.ts";
import { testGuards } from "./support/guards.ts";
import { temporaryFolder, writeFiles } from "./support/repository.ts";

const worktrees = createWorktrees(testGuards());

function checkout(t: TestContext, files: Readonly<Record<string, string>>) {
  const folder = join(temporaryFolder(t), "checkout");
  const root = join(temporaryFolder(t), "root");
  writeFiles(folder, files);
  const found = async (command: string | readonly string[]) =>
    (await worktrees.namedFiles({ folder, root }, namedFiles(command))).map(({ what, text }) => `${what}: ${text}`);
  return { folder, root, found };
}

test("a word names a file that runs if an interpreter gets it, it may be run, or it names its interpreter", async (t) => {
  const { folder, found } = checkout(t, {
    "todo.txt": "plants",
    "x.sh": "x",
    "may-run": "m",
    "named.py": "#!/usr/bin/env python3\n",
    "x/in/it": "a folder is none",
  });
  chmodSync(join(folder, "may-run"), 0o755);
  assert.deepEqual(await found("echo a > todo.txt; git add todo.txt x.sh x"), []);
  assert.deepEqual(await found("sh x.sh todo.txt"), ["x.sh: x"]);
  assert.deepEqual(await found("timeout 5 ./may-run named.py todo.txt"), [
    "may-run: m",
    "named.py: #!/usr/bin/env python3\n",
  ]);
});

test("patterns are the files that the shell takes for them, and a bracket may be part of a name", async (t) => {
  const { found } = checkout(t, { "tools/a.sh": "a", "tools/b.sh": "b", "tools/c.txt": "c", "[id].sh": "i" });
  assert.deepEqual(await found(". tools/*.sh"), ["tools/a.sh: a", "tools/b.sh: b"]);
  assert.deepEqual(await found(["sh", "[id].sh"]), ["[id].sh: i"]);
  await fails(found("sh a*b*c*d*e"), "bad_input", /too complicated/);
  assert.deepEqual(await found("echo '*** what? *** is *** this ***'; find . -name '*.sh'"), []);
});

test("a command that names more files than anybody looks at is refused", async (t) => {
  const many = Array.from({ length: 201 }, (_, at) => [`tools/${at}.sh`, "x"] as const);
  const { found } = checkout(t, Object.fromEntries(many));
  await fails(found(". tools/*.sh"), "wrong_state", /names more than 200 files/, /one script/);
});

test("what <root> names is read in the main checkout, where it runs", async (t) => {
  const { root, found } = checkout(t, { "bin/agent": "of the worktree" });
  writeFiles(root, { "bin/agent": "of the root" });
  assert.deepEqual(await found(["<root>/bin/agent"]), ["bin/agent: of the root"]);
  assert.deepEqual(await found(["bin/agent"]), ["bin/agent: of the worktree"]);
});

test("a link out of the repository is where it leads, and a FIFO does not hold anything up", async (t) => {
  const { folder, found } = checkout(t, { "a.sh": "a" });
  mkdirSync(join(folder, "tools"));
  symlinkSync("/bin/sh", join(folder, "tools/x.sh"));
  symlinkSync("../a.sh", join(folder, "tools/y.sh"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  assert.match((await found("sh tools/x.sh"))[0] ?? "", /^tools\/x\.sh: a link to \/.*\n$/);
  assert.deepEqual(await found("sh tools/y.sh; cat pipe"), ["tools/y.sh: a"]);
  await fails(found("sh pipe"), "wrong_state", /is a FIFO/);
});
