import assert from "node:assert/strict";
import { test } from "node:test";
import { installedBy } from "./installed-by.ts";

test("the commands that update fit the way in which it was installed", () => {
  const none = () => false;
  const table = [
    ["/home/me/paneward/packages/paneward/src/cli/main.ts", "clone", "git pull"],
    ["/home/me/.npm/_npx/12ab/node_modules/paneward/dist/cli/main.js", "npx", "npx paneward@latest daemon restart"],
    ["/usr/lib/node_modules/paneward/dist/cli/main.js", "npm", "npm install -g paneward@latest"],
  ] as const;
  for (const [file, by, first] of table) {
    const installed = installedBy(file, none);
    assert.deepEqual([installed.by, installed.commands[0]], [by, first]);
  }
  const folder = "/home/me/.local/share/paneward/0.1.0";
  const script = installedBy(
    `${folder}/lib/node_modules/paneward/dist/cli/main.js`,
    (path) => path === `${folder}/install.sh`,
  );
  assert.equal(script.by, "install.sh");
});
