import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { catalogue } from "../../src/mcp/catalogue.ts";
import { cliArgv } from "../cli/support/cli.ts";
import { compileCache } from "../support/compile-cache.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { mcpUrl, tokenFor } from "./support/doors.ts";

const compiled = { NODE_COMPILE_CACHE: compileCache };
const inspector = join(import.meta.dirname, "../../../../node_modules/.inspector/node_modules/.bin/mcp-inspector");

/** How the official inspector reaches the daemon. It passes on only the environment given with -e. */
const targets: Readonly<Record<string, (daemon: TestDaemon) => Promise<readonly string[]>>> = {
  stdio: async ({ env }) => [
    ...cliArgv,
    "mcp",
    ...Object.entries({ ...env, ...compiled }).flatMap(([name, value]) => ["-e", `${name}=${value}`]),
  ],
  HTTP: async (daemon) => [mcpUrl(daemon).href, "--header", `Authorization: Bearer ${await tokenFor(daemon, "admin")}`],
};

describe("the official inspector", { concurrency: 2 }, () => {
  for (const [name, target] of Object.entries(targets)) {
    test(`lists, calls and reads over ${name}`, async (t) => {
      const daemon = await startDaemon(t);
      const reached = await target(daemon);
      const ask = async (...asked: readonly string[]) => {
        const argv = [inspector, "--cli", ...reached, "--method", ...asked];
        // Keep its settings in this test's folder.
        const { stdout } = await promisify(execFile)(process.execPath, argv, {
          env: { ...daemon.env, ...compiled, NO_COLOR: "1" },
        });
        return JSON.parse(stdout);
      };
      const { tools } = await ask("tools/list");
      assert.equal(tools.length, catalogue.length);
      const argv = JSON.stringify(["sh", "-c", "echo inspected"]);
      const started = await ask("tools/call", "--tool-name", "terminal_start", "--tool-arg", `argv=${argv}`);
      const { id } = started.structuredContent;
      await daemon.client.wait({ ids: [id], for: [{ kind: "exited" }] });
      const read = await ask("tools/call", "--tool-name", "terminal_read", "--tool-arg", `id=${id}`);
      assert.equal(read.structuredContent.output, "inspected\n");
      const journal = await ask("resources/read", "--uri", `paneward://terminals/${id}/journal`);
      assert.equal(journal.contents[0].text, "inspected\n");
      const { prompts } = await ask("prompts/list");
      assert.equal(prompts[0].name, "paneward_guide");
    });
  }
});
