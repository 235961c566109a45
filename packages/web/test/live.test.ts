import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Page, Request } from "playwright-core";
import { sharedStage, timeoutMs, typeHere } from "./support/browser.ts";
import { killTmux, makeRepository, scriptedAgent, until } from "./support/product.ts";
import { endDaemon } from "./support/restart.ts";

const agent = scriptedAgent('echo "working on $1"; read answer; echo "you said $answer"; exec cat');

describe("the dashboard with the real daemon", () => {
  const shared = sharedStage(agent);
  const shows = (page: Page, text: string) =>
    page.locator(".xterm-rows").filter({ hasText: text }).waitFor({ timeout: timeoutMs });

  test("a page counts as looked at while it is used, not while it is left open in front", async () => {
    const { daemon, anonymous } = shared();
    const page = await anonymous();
    await page.clock.install();
    const told: number[] = [];
    let answered = 0;
    const isReport = (request: Request) => request.url().endsWith("/api/notify/presence");
    page.on("request", (request) => isReport(request) && told.push(Number(request.postDataJSON().seconds)));
    page.on("requestfinished", (request) => isReport(request) && answered++);
    // A report that waits behind another is left out, and who leaves during one says it twice.
    const halfMinute = async () => {
      await until("what was reported has arrived", () => answered === told.length);
      await page.clock.runFor(30_000);
    };
    const { url } = await daemon.client.login_link({ scope: "admin" });
    await page.goto(url);
    await page.locator("nav.nav").waitFor();
    await until("it is looked at", () => (told.at(-1) ?? 0) > 0);
    for (let left = 0; left < 5; left++) await halfMinute();
    await until("nobody looks any more", () => told.at(-1) === 0);
    const before = told.length;
    for (let left = 0; left < 4; left++) await halfMinute();
    assert.equal(told.length, before);
    await page.mouse.move(200, 300);
    await until("somebody is back", () => (told.at(-1) ?? 0) > 0);
    await page.context().close();
  });

  test("a task is created, its terminal shows output and takes a line, and it is stopped and removed", async () => {
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
    await page.getByText("used", { exact: true }).first().waitFor();
    await page.getByText(/^(Running|Idle) for .*, reported by \w+: /).waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("button", { name: "Start", exact: true }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Restart" }).count(), 0);
    await page.goto(`${origin}/#/events`);
    await page.getByText(/^task 1 fix-the-login stopped by /).click();
    await page.getByText('"slug": "fix-the-login"').first().waitFor();
    await page.goto(`${origin}/#/nosuch`);
    await page.getByRole("heading", { name: "No such page" }).waitFor();
    await page.goto(`${origin}/#/task/99`);
    await page.getByText("Not found; it may have been removed.").waitFor();
    await page.getByRole("link", { name: "Go to the overview" }).click();
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

  test("after a loss of the tmux server it says how many programs can be restored, and one press restores them", async () => {
    const { daemon, enter } = shared();
    const { id } = await daemon.client.run({ argv: ["cat"], name: "loseable" });
    const page = await enter();
    killTmux(daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "");
    await page.getByText(/\d+ lost programs? can be restored: paneward restore --all/).waitFor();
    await page.getByText(`the tmux server is gone; paneward restore ${id}`).waitFor();
    await page.getByRole("button", { name: "Restore all" }).click();
    await page.getByText(/\d+ restored/).waitFor();
    await page.getByRole("button", { name: "Restore all" }).waitFor({ state: "detached" });
    assert.match((await daemon.client.explain({ id })).status, /Running|Idle/);
    await daemon.client.rm({ id });
  });

  test("two people type into one terminal; both see every byte once, and so does the recording", async () => {
    const { daemon, enter, origin } = shared();
    const { id } = await daemon.client.run({ argv: ["sh", "-c", "echo begin; exec cat"], name: "shared", columns: 80 });
    const pages = [await enter(), await enter()];
    for (const page of pages) {
      await page.goto(`${origin}/#/terminal/${id}`);
      await shows(page, "begin");
      await typeHere(page);
    }
    for (const [at, page] of pages.entries()) {
      await typeLine(page, `person ${at} é`);
      await shows(page, `person ${at} é`);
    }
    for (const page of pages) {
      for (const at of [0, 1]) await shows(page, `person ${at} é`);
    }
    const [page] = pages as [Page, Page];
    await page.getByRole("tab", { name: "replay" }).click();
    await shows(page, "person 1 é");
    await page.getByLabel("Time in the recording").fill("0");
    await page.getByRole("button", { name: "16×" }).click();
    await page.getByRole("button", { name: "Play" }).click();
    await shows(page, "person 0 é");
  });

  test("a wide terminal is shown whole, or enlarged and scrolled to its last line", async () => {
    const { daemon, enter, origin } = shared();
    const argv = ["sh", "-c", "seq 1 60; echo last line; exec cat"];
    const { id } = await daemon.client.run({ argv, name: "wide", columns: 200, rows: 50 });
    const page = await enter();
    await page.goto(`${origin}/#/terminal/${id}`);
    await shows(page, "last line");
    const sizes = () =>
      page.locator(".screen").evaluate((place) => [place.clientWidth, place.scrollWidth, place.scrollTop] as const);
    await until("all columns fit", async () => {
      const [room, used] = await sizes();
      return used <= room;
    });
    await page.getByRole("button", { name: "Large letters" }).click();
    await until("it overflows and is scrolled down", async () => {
      const [room, used, top] = await sizes();
      return used > room && top > 0;
    });
    await page.getByRole("button", { name: "Large letters" }).click();
    await until("all columns fit again", async () => {
      const [room, used] = await sizes();
      return used <= room;
    });
  });

  test("input of two people at once keeps each one's order", async () => {
    const { daemon, enter, origin } = shared();
    const write = "stty raw -echo; echo begin; exec cat > typed-by-two";
    const { id } = await daemon.client.run({ argv: ["sh", "-c", write], name: "two", cwd: daemon.folder, columns: 80 });
    const pages = [await enter(), await enter()];
    for (const page of pages) {
      await page.goto(`${origin}/#/terminal/${id}`);
      await shows(page, "begin");
      await typeHere(page);
    }
    const small = "thequickbrownfoxjumpsoverthelazydog";
    const texts = [small, small.toUpperCase()];
    await Promise.all(pages.map((page, at) => page.keyboard.type(texts[at] ?? "")));
    const typed = await until("all of it is typed", () => {
      const text = readFileSync(join(daemon.folder, "typed-by-two"), "utf8");
      return text.length >= 2 * small.length && text;
    });
    assert.deepEqual([typed.replace(/[^a-z]/g, ""), typed.replace(/[^A-Z]/g, "")], texts);
  });

  test("text can be found in the terminal, and the match or the screen copied", async () => {
    const { daemon, enter, origin } = shared();
    const print = "echo a needle in it; seq 100; exec cat";
    const { id } = await daemon.client.run({ argv: ["sh", "-c", print], name: "hay", columns: 80, rows: 24 });
    const page = await enter({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(`${origin}/#/terminal/${id}`);
    await shows(page, "100");
    const copied = (wanted: RegExp) =>
      until(`${wanted} is copied`, async () => {
        await page.getByRole("button", { name: "Copy" }).click();
        return wanted.test(String(await page.evaluate("navigator.clipboard.readText()")));
      });
    await copied(/^\d+\n(.|\n)*\n100$/);
    const search = page.getByLabel("Search in the terminal");
    const missing = page.getByText('"nowhere" was not found').waitFor();
    await search.fill("nowhere");
    await search.press("Enter");
    await missing;
    await search.fill("needle");
    await search.press("Enter");
    await shows(page, "a needle in it");
    await copied(/^needle$/);
  });

  test("a draft is started, merged once despite a second click, and completed", async () => {
    const { daemon, enter, origin } = shared();
    const repository = makeRepository(daemon, "to-merge");
    const page = await enter({ serviceWorkers: "block" });
    await page.goto(`${origin}/#/new`);
    await page.getByLabel("What to do").fill("write a poem");
    await page.getByLabel("Repository").fill(repository.root);
    await page.getByRole("button", { name: "Keep as draft" }).click();
    await page.getByRole("heading", { name: "write-a-poem" }).waitFor();
    const id = page.url().split("/").at(-1) ?? "";
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await shows(page, "working on write a poem");
    const { path } = await daemon.client.path({ id });
    writeFileSync(join(path, "poem.txt"), "roses\n");
    const git = (...args: string[]) => execFileSync("git", ["-C", path, ...args], { env: daemon.env });
    git("add", "-A");
    git("commit", "-q", "-m", "A poem");
    await page.getByRole("tab", { name: "changes" }).click();
    await page.locator(".tab", { hasText: "roses" }).waitFor();
    const go = Promise.withResolvers<void>();
    let asked = 0;
    await page.route("**/merge", async (route) => {
      asked++;
      await go.promise;
      await route.continue();
    });
    const merge = page.getByRole("button", { name: "Merge" });
    await merge.dblclick();
    await page.locator('button[aria-busy="true"]:disabled', { hasText: "Merge" }).waitFor();
    go.resolve();
    await until("it is merged", () => /A poem/.test(repository.git("log", "--format=%s")));
    await page.locator('button[aria-busy="false"]', { hasText: "Merge" }).waitFor();
    assert.equal(asked, 1);
    await page.getByRole("button", { name: "Complete" }).click();
    await page.locator(".head .facts", { hasText: "Completed" }).waitFor();
    await page.getByRole("button", { name: "Complete" }).waitFor({ state: "detached" });
  });

  test("a late viewer sees what was drawn long ago, and the stream survives a killed daemon", async () => {
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
    const restart = await endDaemon(daemon, "SIGKILL");
    await page.locator(".nav .badge").waitFor();
    await restart();
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
