import type { Page } from "playwright-core";
import { openStage, type Stage } from "../packages/web/test/support/browser.ts";
import { until } from "../packages/web/test/support/product.ts";
import { atLeast, atMost, holds, type Result } from "./result.ts";

const cards = 200;
const megabytes = 20;
const seconds = 6;

/** Whether the dashboard stays smooth with 200 changing cards, and with 20 MB through a live terminal. */
export async function dashboard(): Promise<Result> {
  const cleanings: (() => void | Promise<void>)[] = [];
  const stage = await openStage({ after: (clean) => void cleanings.push(clean) });
  try {
    const page = await stage.enter();
    const big = await throughTerminal(stage, page);
    await page.goto(`${stage.origin}/#/hosts`);
    await page.locator("main .rows li").first().waitFor();
    const empty = await framesPerSecond(page);
    await busyCards(stage);
    await page.goto(`${stage.origin}/#/`);
    await until("every card shows its output", async () => (await page.locator(".card .last").count()) >= cards);
    const busy = await framesPerSecond(page);
    return {
      rows: [
        { question: `dashboard, ${cards} cards, 20 changes a second`, unit: "frames/s", ours: busy, bare: empty },
        { question: `dashboard, ${megabytes} MB of output, longest frame`, unit: "ms", ours: big.maxGapMs },
        { question: `dashboard, ${megabytes} MB of output, until the end is shown`, unit: "ms", ours: big.tookMs },
      ],
      targets: [
        atLeast(`${cards} cards with 20 changes a second, frames beside an empty page's`, busy / empty, 0.8),
        holds(`${cards} cards with 20 changes a second: at least 50 frames/s`, busy.toFixed(0), busy >= 50),
        atMost(`${megabytes} MB through a live terminal, longest frame`, big.maxGapMs, 500, " ms"),
      ],
    };
  } finally {
    for (const clean of cleanings.toReversed()) await clean();
  }
}

// Each prints every ten seconds: twenty of them per second start, and as many fall silent.
async function busyCards({ daemon }: Stage): Promise<void> {
  const printing = "sleep 0.$((RANDOM % 10)); while :; do date; sleep 10; done";
  for (let at = 0; at < cards; at += 20) {
    const some = Array.from({ length: 20 }, (_, one) => `card-${at + one}`);
    await Promise.all(some.map((name) => daemon.client.run({ argv: ["bash", "-c", printing], name })));
  }
}

async function framesPerSecond(page: Page): Promise<number> {
  const frames = await page.evaluate(`new Promise((resolve) => {
    let frames = 0;
    const began = performance.now();
    const count = () => {
      frames++;
      const passed = performance.now() - began;
      if (passed < ${seconds * 1_000}) requestAnimationFrame(count);
      else resolve(frames / (passed / 1000));
    };
    requestAnimationFrame(count);
  })`);
  return Number(frames);
}

async function throughTerminal({ daemon, origin }: Stage, page: Page) {
  const print = `read go; head -c ${Math.floor(megabytes * 750_000)} /dev/urandom | base64 -w 78; echo the-very-end; exec cat`;
  const { id } = await daemon.client.run({ argv: ["sh", "-c", print], name: "big", columns: 80, rows: 30 });
  await page.goto(`${origin}/#/terminal/${id}`);
  await page.locator(".xterm-rows").waitFor();
  await page.evaluate(`window.gaps = { longest: 0, last: performance.now() };
    (function look() {
      const now = performance.now();
      window.gaps.longest = Math.max(window.gaps.longest, now - window.gaps.last);
      window.gaps.last = now;
      requestAnimationFrame(look);
    })()`);
  const began = performance.now();
  await daemon.client.send({ id, text: "go" });
  await until("the end is shown", () => page.locator(".xterm-rows", { hasText: "the-very-end" }).count(), 120_000);
  const tookMs = performance.now() - began;
  return { tookMs, maxGapMs: Number(await page.evaluate("window.gaps.longest")) };
}
