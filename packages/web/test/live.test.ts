import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { patience, sharedStage } from "./support/browser.ts";
import { makeRepository, scriptedAgent, type TestDaemon, until } from "./support/product.ts";

const agent = scriptedAgent('echo "working on $1"; read answer; echo "you said $answer"; exec cat');

describe("the dashboard with the real daemon", () => {
  const shared = sharedStage(agent);
  const shows = (page: Page, text: string) =>
    page.locator(".xterm-rows").filter({ hasText: text }).waitFor({ timeout: patience });

  test("a task is made, its terminal shows what it prints, takes a line, and is stopped and removed", async () => {
    const { daemon, enter, origin } = shared();
    const { root } = makeRepository(daemon);
    const page = await enter();
    await page.getByRole("link", { name: "New task" }).click();
    await page.getByLabel("What to do").fill("fix the login");
    await page.getByLabel("Repository").fill(root);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("heading", { name: "fix-the-login" }).waitFor();
    await shows(page, "working on fix the login");
    await page.getByLabel("Message").fill("go on");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await shows(page, "you said go on");
    await page.getByRole("tab", { name: "changes" }).click();
    await page.getByText("No changes yet.").waitFor();
    await page.getByRole("tab", { name: "explain" }).click();
    await page.getByText("believed").first().waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("button", { name: "Restart" }).waitFor();
    await page.goto(`${origin}/#/`);
    await page.getByRole("link", { name: "fix-the-login" }).waitFor();
    page.on("dialog", (dialog) => void dialog.accept());
    await page.getByRole("link", { name: "fix-the-login" }).click();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("Nothing runs yet").waitFor();
    await page.goto(`${origin}/#/new`);
    await page.getByRole("button", { name: "Undo last removal" }).click();
    await page.goto(`${origin}/#/`);
    await page.getByRole("link", { name: "fix-the-login" }).waitFor();
  });

  test("two people type into one terminal; each sees every byte once, and the recording has them too", async () => {
    const { daemon, enter, origin } = shared();
    const { id } = await daemon.client.run({ argv: ["sh", "-c", "echo begin; exec cat"], name: "shared", columns: 80 });
    const pages = [await enter(), await enter()];
    for (const page of pages) {
      await page.goto(`${origin}/#/terminal/${id}`);
      await shows(page, "begin");
      await page.getByRole("button", { name: "Type here" }).click();
    }
    for (const [at, page] of pages.entries()) await typeLine(page, `person ${at} é`);
    for (const page of pages) {
      for (const at of [0, 1]) await shows(page, `person ${at} é`);
    }
    const [page] = pages as [Page, Page];
    await page.getByRole("tab", { name: "replay" }).click();
    await shows(page, "person 1 é");
    await page.getByLabel("Time in the recording").fill("0");
    await page.getByRole("button", { name: "Play" }).click();
    await shows(page, "person 0 é");
  });

  test("who opens it late sees what was painted long ago, and it goes on after the daemon was killed", async () => {
    const { daemon, enter, origin } = shared();
    const paint = "printf 'painted long ago\\n'; head -c 3000000 /dev/zero | tr '\\0' '\\007'; exec cat";
    const { id } = await daemon.client.run({ argv: ["sh", "-c", paint], name: "late", columns: 80, rows: 24 });
    await until("the bells are over", async () => {
      const { parts } = await daemon.client.recording({ id });
      return (parts[0]?.to ?? 0) > 3_000_000;
    });
    const page = await enter();
    await page.goto(`${origin}/#/terminal/${id}`);
    await shows(page, "painted long ago");
    const { port } = daemon;
    await daemon.kill("SIGKILL");
    await page.locator(".nav .badge").waitFor();
    await restartOn(daemon, port);
    await page.locator(".nav .badge").waitFor({ state: "detached" });
    await daemon.client.send({ id, text: "after the kill" });
    await shows(page, "after the kill");
    assert.equal((await page.locator(".xterm-rows").innerText()).match(/painted long ago/g)?.length, 1);
  });

  test("hostile names, titles and output do no harm", async () => {
    const { daemon, enter, origin } = shared();
    const page = await enter();
    const said: string[] = [];
    page.on("dialog", (dialog) => {
      said.push(dialog.message());
      void dialog.dismiss();
    });
    const evil = "<img src=x onerror=alert(1)><script>alert(2)</script>";
    const output = [
      `printf '%s\\n' '${evil}'`,
      "printf '\\033]2;<script>alert(3)</script>\\007'",
      "printf '\\033]52;c;ZXZpbA==\\007'",
      "printf '\\033]8;;javascript:alert(4)\\033\\\\click\\033]8;;\\033\\\\\\n'",
      "printf 'abc\\342\\200\\256fed\\n'",
      "printf '\\033[c\\033[6n\\033[?1$p\\033]11;?\\007'",
      "head -c 1000000 /dev/zero | tr '\\0' x; printf '\\nharmless end\\n'; exec cat",
    ].join("; ");
    const { id } = await daemon.client.run({ argv: ["sh", "-c", output, evil], name: "hostile", columns: 80 });
    await page.goto(`${origin}/#/terminal/${id}`);
    await shows(page, "harmless end");
    await page.getByRole("tab", { name: "replay" }).click();
    await shows(page, "harmless end");
    await page.goto(`${origin}/#/events`);
    await page.locator(".events strong", { hasText: "terminal_opened" }).first().waitFor();
    await page.goto(`${origin}/#/`);
    await page.getByRole("link", { name: "hostile" }).waitFor();
    assert.deepEqual(said, []);
    assert.equal(await page.locator("img[onerror], main script").count(), 0);
    assert.match(await page.title(), /Paneward$/);
    const { output: typed } = await daemon.client.read({ id, lines: 3 });
    assert.doesNotMatch(typed, /\[\?|rgb:/, "the page answered none of the program's questions");
  });

  test("eight tabs of one browser are live at once", async () => {
    const { daemon, enter, origin } = shared();
    const first = await enter();
    const pages = [first];
    while (pages.length < 8) pages.push(await first.context().newPage());
    for (const page of pages.slice(1)) await page.goto(origin);
    await daemon.client.run({ argv: ["cat"], name: "seen-by-all" });
    for (const page of pages) await page.getByRole("link", { name: "seen-by-all" }).waitFor();
  });
});

async function typeLine(page: Page, text: string): Promise<void> {
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

/** The same port again, as it would be outside a test. */
async function restartOn(daemon: TestDaemon, port: number): Promise<void> {
  const file = join(daemon.folder, "config", "paneward", "config.toml");
  writeFileSync(file, readFileSync(file, "utf8").replace("port = 0", `port = ${port}`));
  await daemon.start();
}
