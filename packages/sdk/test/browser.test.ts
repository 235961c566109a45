import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type BuildResult, build, type StdinOptions } from "esbuild";

/** Bundles a file for browsers; fails on an import of a Node module. */
function bundled(source: StdinOptions): Promise<BuildResult<{ metafile: true; write: false }>> {
  return build({
    stdin: { resolveDir: fileURLToPath(new URL("../src", import.meta.url)), ...source },
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

const all = (file: string): StdinOptions => ({ contents: `export * from "./${file}"` });

/** Ways to use Node without an import. */
const nodeOnly = /\bprocess\.|\bBuffer\.|\brequire\(/;

describe("the sdk in a browser", () => {
  test("bundles, with no package but a small one, into less than 30 kB", async () => {
    const { metafile, outputFiles } = await bundled(all("index.ts"));
    const inputs = Object.keys(metafile.inputs);
    assert.ok(inputs.some((path) => path.endsWith("sdk/src/client.ts")));
    assert.deepEqual(
      inputs.filter((path) => /operations\b|shapes\.ts|src\/node\//.test(path)),
      [],
    );
    const packages = inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    assert.deepEqual([...new Set(packages)], ["eventsource-parser"]);
    const [bundle] = outputFiles;
    assert.ok(bundle && bundle.contents.length < 30_000);
    assert.doesNotMatch(bundle.text, nodeOnly);
  });

  test("bundles with its schemas on request", async () => {
    const { metafile } = await bundled(all("operations.ts"));
    assert.ok(Object.keys(metafile.inputs).some((path) => path.includes("node_modules/zod/")));
  });

  test("is checked by a bundler that rejects Node", async () => {
    await assert.rejects(bundled({ contents: 'export { request } from "node:http"' }), /node:http/);
    assert.match((await bundled(all("node/index.ts"))).outputFiles[0]?.text ?? "", nodeOnly);
  });
});
