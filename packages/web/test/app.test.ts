import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { holds, sharedStage } from "./support/browser.ts";
import { scriptedProgram, until } from "./support/product.ts";
import { endDaemon } from "./support/restart.ts";

// Headless Chromium shows no notification and plays no sound; this records that it was asked to.
const recorders = `
  window.shown = [];
  window.sounds = 0;
  ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
    window.shown.push({ title, ...options });
  };
  const Real = window.AudioContext;
  window.AudioContext = class extends Real {
    constructor() {
      super();
      window.sounds++;
    }
  };
`;

describe("the dashboard as an app", () => {
  const shared = sharedStage("", "whole");

  async function asks(name: string): Promise<string> {
    const { daemon } = shared();
    const agent = scriptedProgram(daemon.folder, "claude", { name });
    const { id } = await daemon.client.run({ argv: [...agent.argv], name, cwd: daemon.folder, columns: 90 });
    await agent.noted("ready");
    await daemon.client.send({ id, text: `RUN: touch ${name}` });
    await agent.noted("asked");
    return id;
  }

  const notifyMe = (page: Page) => page.getByLabel("Notify me when an agent needs me");

  test("notifies once, with a sound, when a row starts to need a person, but not for the open one", async () => {
    const { enter, origin } = shared();
    const page = await enter({ permissions: ["notifications"] });
    await page.addInitScript(recorders);
    await page.goto(`${origin}/#/settings`);
    await page.reload();
    await holds(page, "navigator.serviceWorker.controller !== null");
    await notifyMe(page).check();
    await page.getByLabel("With a sound").check();
    await page.goto(`${origin}/#/`);
    const seen = await asks("looked-at");
    await page.locator(".card.needs", { hasText: "looked-at" }).waitFor();
    await page.goto(`${origin}/#/hosts`);
    const missed = await asks("elsewhere");
    await holds(page, "window.shown.length > 0");
    await holds(page, "document.title.startsWith('(2)')");
    const notified = (await page.evaluate("window.shown")) as {
      title: string;
      body: string;
      data: { page: string };
    }[];
    assert.deepEqual(
      notified.map(({ title }) => title),
      ["elsewhere needs you"],
    );
    const { questions } = await shared().daemon.client.questions({});
    const question = questions.find(({ terminal }) => terminal === missed)?.id;
    assert.ok([`#/terminal/${missed}`, `#/question/${question}`].includes(notified[0]?.data.page ?? ""));
    // The question may arrive a moment later than the status.
    assert.match(notified[0]?.body ?? "", /^t\d+ elsewhere (wants to run touch elsewhere|asks|waits)/);
    assert.equal(await page.evaluate("window.sounds"), 1);

    const visited = new Set<string>();
    await until("n leads to both in turn", async () => {
      await page.keyboard.press("n");
      await page.getByLabel("open question").waitFor();
      visited.add(page.url().split("/").at(-1) ?? "");
      return visited.size === 2;
    });
    assert.deepEqual([...visited].toSorted(), [seen, missed].toSorted());
    await page.keyboard.press("g");
    await page.getByRole("heading", { name: "2 need you" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("elsewh");
    await page.locator(".card", { hasText: "looked-at" }).waitFor({ state: "detached" });
    assert.equal(await page.locator(".card").count(), 1);
    assert.equal(await page.evaluate("window.shown.length"), 1, "each question is notified once");
  });

  test("reports that the browser does not allow notifications", async () => {
    const { enter, origin } = shared();
    const page = await enter();
    await page.goto(`${origin}/#/settings`);
    await notifyMe(page).click();
    await page.locator(".notice.failure", { hasText: "does not allow notifications from this page" }).waitFor();
    assert.equal(await notifyMe(page).isChecked(), false);
  });

  test("can be installed, opens and says so while the daemon is unreachable, and recovers when it is back", async () => {
    const { daemon, enter, origin } = shared();
    const { id } = await daemon.client.run({ argv: ["cat"], name: "patient" });
    const page = await enter();
    await holds(page, "navigator.serviceWorker.controller !== null");
    const session = await page.context().newCDPSession(page);
    const { errors } = await session.send("Page.getAppManifest");
    assert.deepEqual(errors, []);
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    // A test's browser stores nothing, like a private window.
    assert.deepEqual(
      installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"),
      [],
    );
    const restart = await endDaemon(daemon, "SIGTERM");
    await page.goto("about:blank");
    await page.goto(`${origin}/#/terminal/${id}`);
    await page.locator(".nav .badge", { hasText: "reconnecting" }).waitFor();
    await restart();
    await page.locator(".xterm-rows").waitFor();
    await page.locator(".nav .badge").waitFor({ state: "detached" });
    await daemon.client.send({ id, text: "still there" });
    await page.locator(".xterm-rows", { hasText: "still there" }).waitFor();
  });

  test("loads the code of a page once the daemon is back", async () => {
    const { daemon, enter } = shared();
    await daemon.client.run({ argv: ["cat"], name: "not-yet-opened" });
    const page = await enter({ serviceWorkers: "block" });
    await page.getByRole("link", { name: "not-yet-opened" }).waitFor();
    const restart = await endDaemon(daemon, "SIGKILL");
    await page.locator(".nav .badge").waitFor();
    const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/assets/"));
    await page.getByRole("link", { name: "not-yet-opened" }).click();
    await failed;
    await page.locator(".tab", { hasText: "Loading" }).waitFor();
    await restart();
    await page.locator(".xterm-rows").waitFor();
  });
});
