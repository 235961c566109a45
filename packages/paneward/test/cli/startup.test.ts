import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { compileCache } from "../support/compile-cache.ts";
import { fakeDaemon } from "./support/fake-daemon.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");

describe("a short command loads little", { concurrency: 4 }, () => {
  for (const typed of [["ps"], ["read", "12"], ["send", "12", "x"], ["daemon", "status"]]) {
    test(`paneward ${typed.join(" ")}`, async (t) => {
      const { env, folder } = await fakeDaemon(t);
      const list = join(folder, "loaded");
      const spy = join(folder, "spy.mjs");
      writeFileSync(list, "");
      writeFileSync(
        spy,
        `import { appendFileSync } from "node:fs";
        import { registerHooks } from "node:module";
        const builtIn = new Set(process.moduleLoadList);
        process.on("exit", () => {
          const loaded = process.moduleLoadList.filter((name) => !builtIn.has(name));
          appendFileSync(${JSON.stringify(list)}, loaded.join("\\n"));
        });
        registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + "\\n"); return next(url, context); } });`,
      );
      const argv = ["--conditions=@paneward/source", "--import", spy, main, ...typed];
      await promisify(execFile)(process.execPath, argv, { env: { NODE_COMPILE_CACHE: compileCache, ...env } });
      const loaded = readFileSync(list, "utf8").trim().split("\n");
      // An import of one of Node's modules reads all its exports, and loads what they need.
      const heavy =
        /node_modules\/(?!get-east-asian-width\/)|sdk\/src\/(operations\b|shapes\.ts)|daemon\.ts$|command-table|^node:(http|readline|fs|module|net)\b|^NativeModule (perf_hooks|http)$/;
      assert.deepEqual(
        loaded.filter((url) => heavy.test(url) && !url.endsWith("commands/daemon.ts")),
        [],
      );
      assert.ok(
        loaded.some((url) => url.endsWith("cli/program.ts")),
        "the list was written",
      );
      assert.ok(loaded.filter((url) => url.startsWith("file:")).length < 60, `${loaded.length} modules`);
    });
  }
});
