import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { importsOf, readLayers } from "./support/layers.ts";
import { files, root, run, text } from "./support/repository.ts";

/** The nearest folder with a tsconfig.json: this one or one above. */
function projectOf(folder: string): string {
  return existsSync(join(root, folder, "tsconfig.json")) || folder === "." ? folder : projectOf(dirname(folder));
}

async function passes(...argv: readonly string[]): Promise<void> {
  const { code, printed } = await run(argv);
  assert.equal(code, 0, `${argv.join(" ")}\n${printed}`);
}

/** What the checkers know of files that did not change since. */
const known = (name: string) => join(root, "node_modules/.cache/gates", name);

// Several checkers check much of the same twice, which costs more than they gain on few cores.
function compiles(project: string): Promise<void> {
  const results = known(`${project.replaceAll("/", "-")}.tsbuildinfo`);
  return passes("tsc", "-p", project, "--checkers", "1", "--incremental", "--tsBuildInfoFile", results);
}

describe("types", { concurrency: 2 }, () => {
  test("everything compiles, tests included", () => compiles("tsconfig.json"));

  for (const project of files("packages/*/src/**/tsconfig.json")) {
    test(`${dirname(project)} compiles by its own settings`, () => compiles(project));
  }

  for (const { folder } of readLayers(text("docs/layers.md")).filter(({ pure }) => pure)) {
    if (!existsSync(join(root, folder.replace(/\/\*\.ts$/, "")))) continue;
    test(`${folder} is pure: it is compiled without Node's types`, () => {
      const { compilerOptions } = JSON.parse(text(`${projectOf(folder)}/tsconfig.json`));
      assert.deepEqual(compilerOptions.types, []);
    });
  }
});

describe("style", { concurrency: 2 }, () => {
  test("lint and format find nothing", () => passes("biome", "check", "."));
  test("no file, export or dependency is unused", () => passes("knip", "--cache", "--cache-location", known("knip")));
});

describe("dependencies", () => {
  const kinds = ["dependencies", "devDependencies", "optionalDependencies"] as const;

  for (const path of files("package.json", "packages/*/package.json")) {
    test(`${path} pins every version exactly`, () => {
      const manifest = JSON.parse(text(path));
      const wanted = kinds.flatMap((kind) => Object.entries<string>(manifest[kind] ?? {}));
      assert.deepEqual(
        wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version)),
        [],
      );
    });
  }

  // The pi package is bundled, and the dashboard too: all that they need is there when they are built.
  for (const name of ["paneward", "sdk", "tmux"]) {
    test(`packages/${name} depends on what its sources import, and on nothing else`, () => {
      const sources = files(`packages/${name}/src/**/*.ts`).filter((path) => !path.endsWith(".test.ts"));
      const imported = sources.flatMap((path) => importsOf(text(path)).map(({ specifier }) => specifier));
      const packages = imported.flatMap((one) => /^(?!node:)(?:@[\w-]+\/)?[\w-]+/.exec(one)?.[0] ?? []);
      const { dependencies = {} } = JSON.parse(text(`packages/${name}/package.json`));
      assert.deepEqual(Object.keys(dependencies).toSorted(), [...new Set(packages)].toSorted());
    });
  }

  test("the lock file names no registry", () => {
    const named = text("package-lock.json")
      .split("\n")
      .filter((line) => /"resolved": "[a-z+]*:|https?:\/\/[^"]*(registry|\.tgz)/.test(line));
    assert.deepEqual(named, []);
  });
});
