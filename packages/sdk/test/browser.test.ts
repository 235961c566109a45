import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type BuildResult, build } from "esbuild";

type Bundle = BuildResult<{ metafile: true; write: false }>;

/** What a bundler for browsers makes of a file. */
function bundled(file: string): Promise<Bundle> {
  return build({
    entryPoints: [fileURLToPath(new URL(`../src/${file}`, import.meta.url))],
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    conditions: ["@paneward/source"],
    metafile: true,
    write: false,
    logLevel: "silent",
  });
}

// esbuild leaves `node:` imports as they are instead of failing.
function leftOutside({ metafile }: Bundle): readonly string[] {
  return Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
}

describe("the sdk in a browser", () => {
  test("bundles, without zod, into less than 30 kB", async () => {
    const bundle = await bundled("index.ts");
    const { metafile, outputFiles } = bundle;
    assert.deepEqual(leftOutside(bundle), []);
    const inputs = Object.keys(metafile.inputs);
    assert.ok(inputs.some((path) => path.endsWith("sdk/src/client.ts")));
    assert.deepEqual(
      inputs.filter((path) => /node_modules|operations\.ts|shapes\.ts|src\/node\//.test(path)),
      [],
    );
    assert.ok((outputFiles[0]?.contents.length ?? Infinity) < 30_000);
  });

  test("bundles with its schemas too, for whoever asks for them", async () => {
    const bundle = await bundled("operations.ts");
    assert.deepEqual(leftOutside(bundle), []);
    assert.ok(Object.keys(bundle.metafile.inputs).some((path) => path.includes("node_modules/zod/")));
  });

  test("is checked by something that can fail: the part for Node needs Node", async () => {
    assert.deepEqual(leftOutside(await bundled("node/index.ts")), ["node:http"]);
  });
});
