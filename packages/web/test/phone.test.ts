import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { holds, sharedStage } from "./support/browser.ts";
import { makeRepository, scriptedAgent, scriptedProgram, until } from "./support/product.ts";

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

describe("the dashboard on a phone", () => {
  const shared = sharedStage(scriptedAgent('echo "working on $1"; exec cat'), "whole");

  async function asking(name: string, prompt = `RUN: touch ${name}`) {
    const { daemon } = shared();
    const { client } = daemon;
    const agent = scriptedProgram(daemon.folder, "claude", { name });
    const { id } = await client.run({ argv: [...agent.argv], name, cwd: daemon.folder, columns: 200 });
    await agent.noted("ready");
    const asks = async (text: string, times = 1) => {
      await client.send({ id, text });
      await agent.noted("asked", times);
      return until("its dialog is known", async () => {
        const { questions } = await client.questions({});
        return questions.find((one) => one.terminal === id && one.options.length > 0 && one.whole === true);
      });
    };
    return { agent, id, asks, question: await asks(prompt) };
  }

  async function enter(): Promise<Page> {
    const page = await shared().enter(phone);
    await holds(page, "navigator.serviceWorker.controller !== null");
    return page;
  }

  const open = (page: Page, question: string) => page.goto(`${shared().origin}/#/question/${question}`);
  const panel = (page: Page) => page.getByLabel("open question");
  const yes = (page: Page) => panel(page).getByRole("button", { name: "1 Yes", exact: true });
  const waiting = (page: Page) => page.getByLabel("answers given without a connection");

  test("is an app with icons for every home screen", async () => {
    const page = await enter();
    const session = await page.context().newCDPSession(page);
    const { data = "" } = await session.send("Page.getAppManifest");
    const { display, scope, theme_color, icons } = JSON.parse(data) as {
      readonly [key: string]: unknown;
      readonly icons: readonly { readonly src: string; readonly sizes: string; readonly purpose?: string }[];
    };
    assert.deepEqual([display, scope, theme_color], ["standalone", "/", "#1f6feb"]);
    assert.deepEqual(
      icons.map(({ sizes, purpose = "any" }) => `${sizes} ${purpose}`),
      ["any any", "192x192 any", "512x512 any", "512x512 maskable"],
    );
    for (const { src, sizes } of icons.slice(1)) {
      const drawn = await page.evaluate(
        `fetch(${JSON.stringify(src)}).then((r) => r.blob()).then(createImageBitmap).then((i) => i.width + "x" + i.height)`,
      );
      assert.equal(drawn, sizes, src);
    }
  });

  test("opens one question by one small request, without the rest of the dashboard, and answers it", async () => {
    const { agent, question, id } = await asking("single", "SAY the tests pass now\nRUN: touch single");
    const page = await enter();
    await page.goto("about:blank");
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/api/") && !pathname.endsWith("/presence"))
        asked.push(`${request.method()} ${pathname}`);
    });
    await open(page, question.id);
    await panel(page).getByText("touch single").waitFor();
    await page.getByRole("heading", { name: "single", level: 1 }).waitFor();
    await page.getByLabel("last words").getByText("RUN: touch single").waitFor();
    assert.deepEqual(asked, [`GET /api/questions/${question.id}`]);
    assert.equal(await page.locator("nav.nav").count(), 0);
    await yes(page).click();
    await agent.noted("ran");
    await page
      .getByLabel("closed question")
      .getByText(/^answered by /)
      .waitFor();
    await page.getByRole("link", { name: "Open single" }).click();
    await page.locator("main.detail").getByRole("heading", { name: "single" }).waitFor();
    await page.goBack();
    await page.getByLabel("closed question").waitFor();
    await shared().daemon.client.stop({ id });
  });

  test("shows what it saw last while there is no connection; an answer waits for one, and is given once", async () => {
    const { agent, question, id } = await asking("offline");
    const page = await enter();
    await open(page, question.id);
    await yes(page).waitFor();
    await page.context().setOffline(true);
    await page.goto("about:blank");
    await open(page, question.id);
    await panel(page).getByText("touch offline").waitFor();
    await page.getByText("not connected").waitFor();
    await yes(page).click();
    await waiting(page).getByText("“Yes” waits for a connection").waitFor();
    await panel(page).getByText("Your answer waits for a connection.").waitFor();
    await page.reload();
    await waiting(page).getByText("touch offline").waitFor();
    assert.deepEqual(
      agent.notes().filter(({ kind }) => kind === "approved"),
      [],
    );
    await page.context().setOffline(false);
    await agent.noted("ran");
    await page.getByLabel("closed question").waitFor();
    await waiting(page).waitFor({ state: "detached" });
    assert.equal(agent.notes().filter(({ kind }) => kind === "approved").length, 1);
    await shared().daemon.client.stop({ id });
  });

  test("an answer that waited is not given to a question that came after, nor when it is old, and can be taken back", async () => {
    const { client } = shared().daemon;
    const { agent, question, asks, id } = await asking("stale");
    const page = await enter();
    const answerOffline = async (which: string) => {
      await open(page, which);
      await yes(page).waitFor();
      await page.context().setOffline(true);
      await yes(page).click();
      await waiting(page).getByText("waits for a connection").waitFor();
    };
    const denied = () => agent.notes().filter(({ kind }) => kind === "denied").length;

    await answerOffline(question.id);
    await client.respond({ id, option: 4, question: question.id });
    await until("it is denied", () => denied() === 1);
    const second = await asks("RUN: rm -r everything", 2);
    await page.context().setOffline(false);
    await waiting(page)
      .getByText(/^Not answered: another question is open now/)
      .waitFor();
    await waiting(page).getByRole("button", { name: "Dismiss" }).click();
    await waiting(page).waitFor({ state: "detached" });

    await answerOffline(second.id);
    await page.evaluate(`new Promise((resolve) => {
      const opening = indexedDB.open("paneward");
      opening.onsuccess = () => {
        const answers = opening.result.transaction("answers", "readwrite").objectStore("answers");
        const all = answers.getAll();
        all.onsuccess = () => {
          const [one] = all.result;
          answers.put({ ...one, at: one.at - 16 * 60_000 }, one.input.idempotency_key).onsuccess = resolve;
        };
      };
    })`);
    await page.context().setOffline(false);
    await waiting(page).getByText("Not answered: it waited for a connection for too long").waitFor();
    await waiting(page).getByRole("button", { name: "Dismiss" }).click();

    await answerOffline(second.id);
    await waiting(page).getByRole("button", { name: "Take back" }).click();
    await waiting(page).waitFor({ state: "detached" });
    await page.context().setOffline(false);
    await yes(page).waitFor();
    await page.getByText("not connected").waitFor({ state: "detached" });
    assert.deepEqual(
      agent.notes().filter(({ kind }) => kind === "approved" || kind === "ran"),
      [],
    );
    await client.stop({ id });
  });

  test("shows conversation and printed text first; the wide terminal is one tap away, and no page scrolls sideways", async () => {
    const { client } = shared().daemon;
    const { agent, id } = await asking("wide");
    const page = await enter();
    await page.goto(`${shared().origin}/#/terminal/${id}`);
    await page.getByRole("tab", { name: "conversation", selected: true }).waitFor();
    await page.locator(".turns .user", { hasText: "RUN: touch wide" }).waitFor();
    assert.equal(await page.locator(".xterm-rows").count(), 0);
    await page.getByRole("tab", { name: "text" }).click();
    await page.locator(".printed", { hasText: "Do you want to proceed?" }).waitFor();
    const tooWide = () => page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
    assert.ok(Number(await tooWide()) <= 0);
    await yes(page).click();
    await agent.noted("ran");
    await page.getByRole("tab", { name: "terminal" }).click();
    await page.locator(".xterm-rows").waitFor();
    assert.ok(Number(await tooWide()) <= 0);

    const plain = await client.run({ argv: ["sh", "-c", "echo one; read more; echo two; exec cat"], name: "plain" });
    await page.goto(`${shared().origin}/#/terminal/${plain.id}`);
    await page.getByRole("tab", { name: "text", selected: true }).waitFor();
    await page.locator(".printed", { hasText: "one" }).waitFor();
    await client.send({ id: plain.id, text: "more" });
    await page.locator(".printed", { hasText: "two" }).waitFor();
    for (const one of [id, plain.id]) await client.stop({ id: one });
  });

  test("a photo is attached without its place, a note as it is, and the agent gets their paths; a program is refused", async () => {
    const { client } = shared().daemon;
    const { agent, id } = await asking("sees");
    const page = await enter();
    await page.goto(`${shared().origin}/#/terminal/${id}`);
    await yes(page).click();
    await agent.noted("stopped");
    const files = page.getByLabel("Files to attach");
    const photo = await photoWithPlace(page);
    assert.ok(photo.includes("Exif"));
    const note = Buffer.from("it fails here\n");
    await files.setInputFiles([
      { name: "IMG 0042.jpeg", mimeType: "image/jpeg", buffer: photo },
      { name: "notes.md", mimeType: "text/markdown", buffer: note },
    ]);
    const message = page.getByLabel("Message");
    await until("both are there", async () => /-notes\.md\s*$/.test(await message.inputValue()));
    const [, shown = "", written = ""] = /^See (\S+) (\S+) $/.exec(await message.inputValue()) ?? [];
    assert.match(shown, /\/1-IMG-0042\.jpg$/);
    const kept = readFileSync(shown);
    assert.ok(kept.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) && !kept.includes("Exif"));
    assert.deepEqual(readFileSync(written), note);
    assert.equal(statSync(written).mode & 0o777, 0o600);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await until("the agent has both paths", () => agent.prompts().includes(`See ${shown} ${written}`));
    await files.setInputFiles({
      name: "run.png",
      mimeType: "image/png",
      buffer: Buffer.from("\x7fELF\x02\x01\0\0", "latin1"),
    });
    await page.locator(".notice.failure", { hasText: "This is neither a picture, nor a PDF, nor text" }).waitFor();
    await client.stop({ id });
    await client.rm({ id });
    assert.throws(() => statSync(dirname(shown)), { code: "ENOENT" });
  });

  test("a new task has its pictures before its agent begins", async () => {
    const { daemon } = shared();
    const { client } = daemon;
    const { root } = makeRepository(daemon);
    const page = await enter();
    await page.goto(`${shared().origin}/#/new`);
    await page.getByLabel("What to do").fill("Fix what this picture shows");
    await page.getByLabel("Repository").fill(root);
    await page.getByLabel("Files to attach").setInputFiles([
      { name: "broken.png", mimeType: "image/png", buffer: png },
      { name: "other.md", mimeType: "text/markdown", buffer: Buffer.from("not this\n") },
    ]);
    await page.getByRole("button", { name: "Leave out other.md" }).click();
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("heading", { name: "fix-what-this-picture-shows" }).waitFor();
    const [task] = (await client.ps({ all: "true" })).tasks;
    const [, path = ""] = /Look at these files first:\n- (\S+)$/.exec(task?.text ?? "") ?? [];
    assert.match(path, /\/1-broken\.png$/);
    assert.deepEqual(readFileSync(path), png);
    await until("its agent works on it", async () => {
      const { lines } = await client.screen({ id: String(task?.id) });
      return lines.join("").replaceAll(/\s/g, "").includes(path);
    });
    await client.rm({ id: String(task?.id) });
    assert.throws(() => statSync(path), { code: "ENOENT" });
  });
});

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

/** A picture of the browser's own, with what a phone's camera writes into it. */
async function photoWithPlace(page: Page): Promise<Buffer> {
  const drawn = (await page.evaluate(`(() => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    canvas.getContext("2d").fillRect(0, 0, 32, 32);
    return canvas.toDataURL("image/jpeg").split(",")[1];
  })()`)) as string;
  const bytes = Buffer.from(drawn, "base64");
  const exif = Buffer.from("Exif\0\0GPS 52.5 13.4", "latin1");
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([bytes.subarray(0, 2), head, exif, bytes.subarray(2)]);
}
