import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { buildDashboard } from "../build.ts";
import { sharedStage } from "./support/browser.ts";
import { makeRepository, scriptedAgent, until } from "./support/product.ts";

const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

describe("appearance", () => {
  const shared = sharedStage(scriptedAgent('echo "working on $1"; exec cat'));
  const sizes = [
    { name: "light", colorScheme: "light", viewport: { width: 1_280, height: 860 } },
    { name: "dark", colorScheme: "dark", viewport: { width: 1_280, height: 860 } },
    { name: "phone", colorScheme: "light", viewport: { width: 360, height: 720 }, hasTouch: true, isMobile: true },
  ] as const;

  test("axe finds nothing serious on any page in light, dark and phone layout, and a phone never scrolls sideways", async () => {
    const { daemon, enter, origin } = shared();
    const { root } = makeRepository(daemon);
    const task = await daemon.client.new({ root, text: "make the login quick" });
    await daemon.client.run({ argv: ["cat"], name: "plain" });
    const ask = ["sh", "-c", 'printf "Deploy to production? [y/N] "; read answer'];
    const asking = await daemon.client.run({ argv: ask, name: "asking" });
    const question = await until("it asks", async () => (await daemon.client.questions({})).questions[0]?.id);
    const { id: thread } = await daemon.client.thread_start({ title: "hand-off", text: "done with the first half" });
    // A phone shows the terminal after a tap.
    const pagesOf = (isPhone: boolean): readonly (readonly [string, string])[] => [
      ["", ".card"],
      [`task/${task.id}`, isPhone ? ".turns, .printed" : ".xterm-rows"],
      [`terminal/${asking.id}`, ".answers"],
      [`question/${question}`, ".answers"],
      ["new", "textarea"],
      ["team", ".rows a"],
      [`thread/${thread}`, ".turns li"],
      ["events", ".events li"],
      ["hosts", ".rows li"],
      ["settings", ".rows li"],
    ];
    for (const { name, ...look } of sizes) {
      const page = await enter(look);
      for (const [path, sign] of pagesOf(name === "phone")) {
        await page.goto(`${origin}/#/${path}`);
        await page.locator(sign).first().waitFor();
        assert.deepEqual(await serious(page), [], `${name} /${path}`);
        const wide = Number(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth"));
        assert.ok(wide <= 0, `${name} /${path} is ${wide} px too wide`);
      }
      await page.context().close();
    }
    const anonymous = await shared().anonymous();
    await anonymous.goto(origin);
    await anonymous.getByLabel("Token").waitFor();
    assert.deepEqual(await serious(anonymous), [], "login");
  });

  test("the page obeys its own policy, and every page is reachable by keys", async () => {
    const { enter, origin } = shared();
    const page = await enter();
    const said: string[] = [];
    page.on("console", (message) => {
      if (/content security policy/i.test(message.text())) said.push(message.text());
    });
    await page.goto(`${origin}/#/`);
    await page.getByRole("link", { name: "plain" }).click();
    await page.locator(".xterm-rows").waitFor();
    assert.equal(await page.locator("style").count(), 0);
    for (const [key, title] of [
      ["e", "Events"],
      ["h", "Hosts"],
      ["s", "Settings"],
      ["c", "New task"],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole("heading", { name: title, level: 1 }).waitFor();
      await page.locator("body").click({ position: { x: 1, y: 1 } });
    }
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("next one that needs you").waitFor();
    assert.deepEqual(said, []);
  });
});

test("the first load is under 250 KB gzip, that of one question under 40 KB, and the terminal is in neither", async () => {
  const folder = join(await buildDashboard(), "assets");
  const all = readdirSync(folder);
  const textOf = (name: string) => readFileSync(join(folder, name), "utf8");
  const begin = (what: string) => all.filter((name) => name.startsWith(`${what}-`));
  /** These, and all that they import at once. */
  const loadedBy = (names: readonly string[]): readonly string[] => {
    const found = new Set(names);
    for (const name of found) {
      if (!name.endsWith(".js")) continue;
      for (const [, more = ""] of textOf(name).matchAll(/(?:from|import)\s*"\.\/([\w.-]+)"/g)) found.add(more);
    }
    return [...found];
  };
  for (const [root, most] of [
    ["App", 250_000],
    ["QuestionPage", 40_000],
  ] as const) {
    const first = loadedBy([...begin("main"), ...begin(root)]);
    assert.ok(first.length > 3, "the files of the build are found");
    const bytes = first.reduce((sum, name) => sum + gzipSync(textOf(name)).length, 0);
    assert.ok(bytes < most, `${root}: ${bytes} bytes: ${first}`);
    assert.ok(
      first.every((name) => !textOf(name).includes('xterm-helper-textarea"')),
      root,
    );
  }
});

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

async function serious(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger, so the page's policy does not have to allow it.
  await page.evaluate(axe);
  const found = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations)",
  )) as readonly Violation[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}
