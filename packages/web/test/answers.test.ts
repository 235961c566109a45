import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { holds, sharedStage, typeHere } from "./support/browser.ts";
import { scriptedProgram, until } from "./support/product.ts";

describe("an agent with a question", () => {
  const shared = sharedStage();

  async function asking(name: string, prompt: string, kind: "claude" | "gemini" = "claude") {
    const { daemon, origin } = shared();
    const agent = scriptedProgram(daemon.folder, kind, { name });
    const { id } = await daemon.client.run({ argv: [...agent.argv], name, cwd: daemon.folder, columns: 90 });
    await agent.noted("ready");
    const say = (text: string) => daemon.client.send({ id, text });
    await say(prompt);
    await agent.noted("asked");
    return { ...agent, id, say, show: (page: Page) => page.goto(`${origin}/#/terminal/${id}`) };
  }

  test("is listed first and counted in the title; answered from a phone, it continues", async () => {
    const { daemon, enter } = shared();
    const desk = await enter();
    const phone = await enter({ viewport: { width: 360, height: 720 }, hasTouch: true, isMobile: true });
    await daemon.client.run({ argv: ["cat"], name: "quiet" });
    const agent = await asking("asker", "RUN: touch made-by-agent");
    for (const page of [desk, phone]) {
      await page.getByRole("heading", { name: "1 needs you" }).waitFor();
      await page.locator(".card").first().filter({ hasText: "asker" }).filter({ hasText: "made-by-agent" }).waitFor();
    }
    await holds(desk, "document.title.startsWith('(1)')");
    assert.match((await desk.locator("#favicon").getAttribute("href")) ?? "", /^data:image/);
    await phone.getByRole("link", { name: "asker" }).tap();
    const question = phone.getByLabel("open question");
    await question.getByText("touch made-by-agent").first().waitFor();
    const { width = 0 } = (await question.getByLabel("No, because").boundingBox()) ?? {};
    assert.ok(width > 250, `there is room for words: ${width} px`);
    assert.deepEqual(
      agent.notes().filter(({ kind }) => kind === "ran"),
      [],
    );
    await question.getByRole("button", { name: "1 Yes", exact: true }).tap();
    await agent.noted("ran");
    await question.waitFor({ state: "detached" });
    await desk.getByRole("heading", { name: "Nothing needs you" }).waitFor();
    await agent.show(desk);
    await desk.locator(".xterm-rows").filter({ hasText: "made-by-agent" }).waitFor();
    await desk.getByRole("tab", { name: "deliveries" }).click();
    await desk.locator(".rows li", { hasText: "RUN: touch made-by-agent" }).locator(".receipt").waitFor();
    await desk.getByRole("tab", { name: "conversation" }).click();
    await desk.locator(".turns li.user", { hasText: "answer" }).filter({ hasText: "Yes" }).waitFor();
  });

  test("shows the screen of what is not proved whole; it is allowed once a person has read it", async () => {
    const { enter } = shared();
    const agent = await asking("unproved", "RUN: touch after-reading", "gemini");
    const phone = await enter({ viewport: { width: 360, height: 720 }, hasTouch: true, isMobile: true });
    await agent.show(phone);
    const question = phone.getByLabel("open question");
    await question.getByText(/may be incomplete/).waitFor();
    await question.getByLabel("the screen").getByText("Allow execution of [Shell]?").waitFor();
    const allow = question.getByRole("button", { name: "1 Allow once", exact: true });
    assert.equal(await allow.isEnabled(), false);
    assert.equal(await question.getByRole("button", { name: /^3 No/ }).isEnabled(), true);
    const box = question.getByRole("checkbox", { name: "I have read this screen" });
    const shown = question.getByLabel("the screen").locator("pre").last();
    const isAtEnd = () =>
      shown.evaluate((one) => one.scrollTop > 0 && one.scrollTop + one.clientHeight >= one.scrollHeight - 2);
    assert.deepEqual([await isAtEnd(), await box.isEnabled()], [true, false]);
    await shown.evaluate((one) => one.scrollTo({ top: 0 }));
    assert.equal(await box.isEnabled(), false, "the middle was not shown");
    const height = await shown.evaluate((one) => one.scrollHeight);
    for (let top = 0; top < height; top += 100) {
      await shown.evaluate((one, to) => one.scrollTo({ top: to }), top);
      await phone.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }
    await box.check();
    await allow.tap();
    await agent.noted("ran");
    await question.waitFor({ state: "detached" });
  });

  test("takes keys as an answer only with the scope approve", async () => {
    const { enter } = shared();
    const agent = await asking("typed", "RUN: touch by-keys");
    const [typist, desk] = [await enter({}, "send"), await enter()];
    for (const page of [typist, desk]) {
      await agent.show(page);
      await typeHere(page);
    }
    await typist.getByText("This login may read, but not answer.").waitFor();
    await until("the key is refused", async () => {
      await typist.locator(".xterm-helper-textarea").press("1");
      return typist.getByText("typing while a question is open needs the scope approve").count();
    });
    assert.deepEqual(
      agent.notes().filter(({ kind }) => kind === "approved"),
      [],
    );
    await until("the key is taken", async () => {
      await desk.locator(".xterm-helper-textarea").press("1");
      return agent.notes().some(({ kind }) => kind === "approved");
    });
    await agent.noted("ran");
    for (const page of [typist, desk]) await page.getByLabel("open question").waitFor({ state: "detached" });
  });

  test("gets one answer when two browsers click twice at once; the slower one gets an error", async () => {
    const { enter } = shared();
    const agent = await asking("both", "RUN: echo once");
    const pages = [await enter({ serviceWorkers: "block" }), await enter({ serviceWorkers: "block" })];
    const pressed: string[] = [];
    const answers: number[] = [];
    const all = Promise.withResolvers<void>();
    for (const page of pages) {
      // Both are in transit before one arrives.
      await page.route("**/api/respond/**", async (route) => {
        pressed.push(route.request().url());
        await all.promise;
        await route.continue();
      });
      page.on("response", (answer) => answer.url().includes("/api/respond/") && answers.push(answer.status()));
      await agent.show(page);
    }
    for (const page of pages) {
      await page.getByLabel("open question").getByRole("button", { name: "1 Yes", exact: true }).dblclick();
    }
    await until("both answers are in transit", () => pressed.length >= pages.length);
    all.resolve();
    await agent.noted("ran");
    await until("both got a response", () => answers.length === pages.length);
    for (const page of pages) await page.getByLabel("open question").waitFor({ state: "detached" });
    assert.deepEqual(answers.toSorted(), [200, 409]);
    assert.equal(pressed.length, pages.length, "a double press is one answer");
    const errors = async () =>
      (await Promise.all(pages.map((page) => page.locator(".notice.failure").allInnerTexts()))).flat();
    await until("the slower one shows the error", async () => (await errors()).length > 0);
    assert.match((await errors()).join(), /^Already answered, or.*answer/s);
    assert.equal(agent.notes().filter(({ kind }) => kind === "approved").length, 1);
  });

  test("can be answered with free text, with several options, and with one", async () => {
    const { enter } = shared();
    const agent = await asking("chooser", "ASK");
    const page = await enter();
    await agent.show(page);
    const question = page.getByLabel("open question");
    await question.getByLabel("Your answer").fill("Green, please");
    await question.getByRole("button", { name: "Send" }).click();
    assert.deepEqual((await agent.noted("answered")).answer, { kind: "text", text: "Green, please" });
    await question.waitFor({ state: "detached" });

    await agent.noted("stopped");
    await agent.say("ASKMANY");
    await agent.noted("asked", 2);
    assert.equal(await question.getByRole("button", { name: "Answer" }).isEnabled(), false);
    for (const at of [0, 2]) await question.getByRole("checkbox").nth(at).check();
    await question.getByRole("button", { name: "Answer" }).click();
    assert.deepEqual((await agent.noted("answered", 2)).answer, { kind: "options", indices: [0, 2] });
    await question.waitFor({ state: "detached" });

    await agent.noted("stopped", 2);
    await agent.say("ASK");
    await agent.noted("asked", 3);
    await question.getByRole("button", { name: /^2 / }).click();
    assert.deepEqual((await agent.noted("answered", 3)).answer, { kind: "option", index: 1 });
    await question.waitFor({ state: "detached" });
  });
});
