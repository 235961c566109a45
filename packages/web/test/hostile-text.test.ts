import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Page } from "playwright-core";
import { random } from "../../tmux/test/support/random.ts";
import { sharedStage } from "./support/browser.ts";
import { hostileWords, makeRepository, until } from "./support/product.ts";

describe("text of others in the dashboard", () => {
  const shared = sharedStage('[agents.cat]\ncmd = ["cat"]\n');

  test("executes nothing, loads nothing, makes no page wider, and is shown with every character", async (t) => {
    const chance = random(t);
    const { daemon, enter, origin } = shared();
    const { client } = daemon;
    const words = () => hostileWords(chance).replaceAll("\0", "") || "x";
    const title = () =>
      words()
        .replace(/[\u0000-\u001f\u007f]/g, "")
        .slice(0, 50) || "x";
    const { root } = makeRepository(daemon);
    // No path with line breaks is taken.
    const name = words().replaceAll(/[/\r\n]/g, "_");
    const cwd = join(daemon.folder, `folder ${name.slice(0, 40)}`);
    mkdirSync(cwd, { recursive: true });
    let [task, terminal, thread] = [0, "", ""];
    for (let made = 0; made < 6; made++) {
      const text = words();
      task = (await client.new({ root, text: text.trim() === "" ? "x" : text, agent: "cat", draft: true })).id;
      terminal = (await client.run({ argv: ["printf", "%s\n", words()], cwd })).id;
      const asks = ["sh", "-c", 'printf "%s [y/N] " "$1"; read answer', "sh", words()];
      await client.run({ argv: asks, cwd: daemon.folder });
      thread = (await client.thread_start({ title: title(), text: words() })).id;
      await client.token_create({ scope: "read", name: title() });
    }
    await until("some of them ask", async () => (await client.questions({})).questions.length > 2);
    const question = (await client.questions({})).questions[0]?.id ?? "";
    const pages: readonly (readonly [string, string])[] = [
      ["", ".card"],
      [`task/${task}`, "h1"],
      [`terminal/${terminal}`, ".xterm-rows, .printed, .nothing"],
      [`question/${question}`, "main.one h1"],
      ["team", ".rows a"],
      [`thread/${thread}`, ".turns li"],
      ["events", ".events li"],
      ["settings", ".rows li"],
    ];
    for (const viewport of [
      { width: 1_280, height: 860 },
      { width: 360, height: 720 },
    ]) {
      const page = await enter({ viewport });
      const outside = watchOutside(page, origin);
      for (const [path, sign] of pages) {
        await page.goto(`${origin}/#/${path}`);
        await page.locator(sign).first().waitFor();
        const { undrawn, links, pageTitle, tooWide } = await found(page);
        const where = `/${path} with ${viewport.width} px`;
        assert.deepEqual(undrawn, [], `${where} has characters that are not drawn`);
        assert.deepEqual(links, [], `${where} has links of others`);
        assert.match(pageTitle, /^(\(\d+\) )?Paneward$/, where);
        assert.ok(tooWide <= 0, `${where} is ${tooWide} px too wide`);
      }
      assert.deepEqual(outside, []);
      await page.context().close();
    }
  });
});

/** What a page must never do because of a text: ask elsewhere, open something, or break its own policy. */
function watchOutside(page: Page, origin: string): readonly string[] {
  const seen: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) seen.push(request.url());
  });
  page.on("dialog", (dialog) => {
    seen.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => void seen.push(`a window: ${popup.url()}`));
  page.on("console", (message) => {
    if (message.type() === "error") seen.push(message.text());
  });
  page.on("pageerror", (error) => void seen.push(String(error)));
  return seen;
}

interface Found {
  readonly undrawn: readonly string[];
  readonly links: readonly string[];
  readonly pageTitle: string;
  readonly tooWide: number;
}

function found(page: Page): Promise<Found> {
  return page.evaluate(`(() => {
    const undrawn = /[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\u{e0000}-\\u{e007f}]/u;
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement.closest(".xterm, script, style") && undrawn.test(node.data)) texts.push(node.parentElement.className + ": " + node.data);
    }
    for (const one of document.querySelectorAll("[title], [aria-label], [placeholder]")) {
      for (const name of ["title", "aria-label", "placeholder"]) if (undrawn.test(one.getAttribute(name) ?? "")) texts.push(name);
    }
    const addressOf = (one) => one.getAttribute("href") ?? one.getAttribute("src") ?? one.getAttribute("action") ?? "";
    const links = [...document.querySelectorAll("body a, img, iframe, form, object, embed")].map(addressOf);
    return {
      undrawn: texts,
      links: links.filter((address) => !/^(#|\\/|$)/.test(address)),
      pageTitle: document.title,
      tooWide: document.documentElement.scrollWidth - window.innerWidth,
    };
  })()`) as Promise<Found>;
}
