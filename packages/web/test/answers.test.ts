import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sharedStage } from "./support/browser.ts";
import { scriptedProgram, until } from "./support/product.ts";

describe("an agent that asks", () => {
  const shared = sharedStage();

  test("is on top with its question, also on a phone; keys answer it for whoever may approve, and it goes on", async () => {
    const { daemon, enter, origin } = shared();
    const agent = scriptedProgram(daemon.folder, "claude");
    const desk = await enter();
    const phone = await enter({ viewport: { width: 360, height: 720 }, hasTouch: true, isMobile: true });
    await daemon.client.run({ argv: ["cat"], name: "quiet" });
    const { id } = await daemon.client.run({ argv: [...agent.argv], name: "asker", cwd: daemon.folder, columns: 90 });
    await agent.noted("ready");
    await daemon.client.send({ id, text: "RUN: touch made-by-agent" });
    await agent.noted("asked");
    for (const page of [desk, phone]) {
      await page.getByRole("heading", { name: "1 needs you" }).waitFor();
      await page.locator(".card").first().filter({ hasText: "asker" }).filter({ hasText: "made-by-agent" }).waitFor();
    }
    await desk.waitForFunction("document.title.startsWith('(1)')");
    assert.match((await desk.locator("#favicon").getAttribute("href")) ?? "", /^data:image/);
    await phone.getByRole("link", { name: "asker" }).tap();
    await phone.getByLabel("open question").getByText("touch made-by-agent").first().waitFor();

    const typist = await enter({}, "send");
    await typist.goto(`${origin}/#/terminal/${id}`);
    await typist.getByText("This login may look, but not answer.").waitFor();
    await typist.getByRole("button", { name: "Type here" }).click();
    await until("the key is refused", async () => {
      await typist.locator(".xterm-helper-textarea").press("1");
      return typist.getByText("typing while a question is open needs the scope approve").count();
    });
    assert.equal(agent.notes().filter(({ kind }) => kind === "approved").length, 0);

    await desk.goto(`${origin}/#/terminal/${id}`);
    await desk.getByRole("button", { name: "Type here" }).click();
    await until("the key is taken", async () => {
      await desk.locator(".xterm-helper-textarea").press("1");
      return agent.notes().some(({ kind }) => kind === "approved");
    });
    await agent.noted("ran");
    for (const page of [desk, phone]) await page.getByLabel("open question").waitFor({ state: "detached" });
    await desk.locator(".xterm-rows").filter({ hasText: "made-by-agent" }).waitFor();
  });
});
