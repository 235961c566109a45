import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Cleanup } from "../support/folder.ts";
import { until } from "../support/until.ts";
import { fakeDaemon } from "./support/fake-daemon.ts";
import { typed } from "./support/typed.ts";

const secret = "http://127.0.0.1:7420/#/login/s3cret";

/** A desktop whose xdg-open does what `script` says. */
async function desktop(t: Cleanup, script: string) {
  const links = { login_link: () => ({ url: secret, scope: "admin", expiresAt: 0 }) as const };
  const { env, folder, asked } = await fakeDaemon(t, links);
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const opened = join(folder, "opened");
  const open = (more: Readonly<Record<string, string>>, ...words: readonly string[]) =>
    typed(["open", ...words], { env: { ...env, PATH: `${bin}:${env.PATH}`, OPENED: opened, ...more } });
  return { open, opened, folder, asked, page: join(folder, "state/open.html") };
}

describe("paneward open", { concurrency: 2 }, () => {
  test("gives the browser a private file that leads to the link; no process has the link among its arguments", async (t) => {
    const { open, opened, page, asked } = await desktop(
      t,
      'printf %s "$*" > "$OPENED.new"; mv "$OPENED.new" "$OPENED"',
    );
    const { code, stdout, stderr } = await open({ DISPLAY: ":0" });
    assert.deepEqual([code, stdout], [0, ""]);
    assert.match(stderr, /^opened in your browser;/);
    const words = await until("xdg-open ran", () => existsSync(opened) && readFileSync(opened, "utf8"));
    assert.equal(words, `file://${page}`);
    assert.match(readFileSync(page, "utf8"), new RegExp(`content="0; url=${secret}"`));
    assert.equal(statSync(page).mode & 0o777, 0o600);
    assert.deepEqual(
      asked.map(({ input }) => input),
      [{ minutes: 1 }],
      "it is good for a minute",
    );
  });

  for (const [what, env, because] of [
    ["without a desktop", {}, "there is no desktop here"],
    ["over ssh", { DISPLAY: ":10", SSH_CONNECTION: "a 1 b 2" }, "this is an ssh session"],
    ["when the opener fails", { WAYLAND_DISPLAY: "w" }, "xdg-open failed with code 3"],
  ] as const) {
    test(`${what} it prints a link and says why`, async (t) => {
      const { open, page } = await desktop(t, "exit 3");
      const { code, stdout, stderr } = await open(env);
      assert.deepEqual([code, stdout], [0, `${secret}\n`]);
      assert.match(stderr, new RegExp(`^no browser was opened: ${because}\nvalid once`));
      assert.equal(existsSync(page), false);
      const forPrograms = await open(env, "--json");
      assert.deepEqual(JSON.parse(forPrograms.stdout), { opened: false, url: secret, because });
    });
  }
});
