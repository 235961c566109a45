import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { buildDashboard } from "../build.ts";
import { sharedStage } from "./support/browser.ts";
import { makeRepository, scriptedAgent } from "./support/product.ts";

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
    const { id: thread } = await daemon.client.thread_start({ title: "hand-off", text: "done with the first half" });
    const pages: readonly (readonly [string, string])[] = [
      ["", ".card"],
      [`task/${task.id}`, ".xterm-rows"],
      ["new", "textarea"],
      ["team", ".rows a"],
      [`thread/${thread}`, ".turns li"],
      ["events", ".events li"],
      ["hosts", ".rows li"],
      ["settings", ".rows li"],
    ];
    for (const { name, ...look } of sizes) {
      const page = await enter(look);
      for (const [path, sign] of pages) {
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

test("the first load is under 250 KB gzip, and the terminal is not in it", async () => {
  const folder = join(await buildDashboard(), "assets");
  const packed = (name: string) => gzipSync(readFileSync(join(folder, name))).length;
  const main = readdirSync(folder).filter((name) => name.startsWith("main-"));
  const [script = ""] = main.filter((name) => name.endsWith(".js"));
  const text = readFileSync(join(folder, script), "utf8");
  const fixed = [...text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+)"/g)].map(([, name = ""]) => name);
  const first = [...new Set([...main, ...fixed])];
  const bytes = first.reduce((sum, name) => sum + packed(name), 0);
  assert.ok(bytes < 250_000, `${bytes} bytes: ${first}`);
  assert.ok(first.every((name) => !readFileSync(join(folder, name), "utf8").includes('xterm-helper-textarea"')));
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
