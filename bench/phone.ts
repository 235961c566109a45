import type { Page } from "playwright-core";
import { openStage, type Stage } from "../packages/web/test/support/browser.ts";
import { until } from "../packages/web/test/support/product.ts";
import { atMost, type Result } from "./result.ts";

// A phone at the edge of its network.
const slowLine = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const times = 5;

/** How soon a question can be read on a slow line: with what its push brought, and from a link that knows nothing. */
export async function phone(): Promise<Result> {
  const cleanings: (() => void | Promise<void>)[] = [];
  const stage = await openStage({ after: (clean) => void cleanings.push(clean) });
  try {
    const { client } = stage.daemon;
    await client.run({ argv: ["sh", "-c", 'printf "Deploy to production? [y/N] "; read answer'], name: "deploy" });
    const question = await until("it asks", async () => (await client.questions({})).questions[0]?.id);
    const page = await stage.enter({ viewport: { width: 390, height: 844 }, isMobile: true });
    await page.waitForFunction("navigator.serviceWorker.controller !== null");
    const tapped = await median(() => opened(stage, page, question));
    const linked = await median(async () => {
      await page.evaluate(forgetQuestions);
      return opened(stage, page, question);
    });
    const line = `${slowLine.latency} ms, ${(slowLine.downloadThroughput * 8) / 1_000} kbit/s`;
    return {
      rows: [
        { question: `a question on a phone, ${line}: from a push until it can be read`, unit: "ms", ours: tapped },
        { question: `a question on a phone, ${line}: from a link until it can be read`, unit: "ms", ours: linked },
      ],
      targets: [atMost(`a question on a phone, ${line}, from a push`, tapped, 1_000, " ms")],
    };
  } finally {
    for (const clean of cleanings.toReversed()) await clean();
  }
}

/** In a page of its own, as a notice opens it. */
async function opened({ origin }: Stage, page: Page, question: string): Promise<number> {
  const fresh = await page.context().newPage();
  try {
    const session = await page.context().newCDPSession(fresh);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", slowLine);
    const began = performance.now();
    await fresh.goto(`${origin}/#/question/${question}`, { waitUntil: "commit" });
    await fresh.getByLabel("open question").getByText("Deploy to production?").waitFor();
    return performance.now() - began;
  } finally {
    await fresh.close();
  }
}

async function median(measure: () => Promise<number>): Promise<number> {
  const took: number[] = [];
  for (let count = 0; count < times; count++) took.push(await measure());
  return took.toSorted((one, other) => one - other)[Math.floor(times / 2)] ?? 0;
}

const forgetQuestions = `new Promise((resolve) => {
  const opening = indexedDB.open("paneward");
  opening.onsuccess = () => {
    const clearing = opening.result.transaction("questions", "readwrite").objectStore("questions").clear();
    clearing.onsuccess = () => resolve(opening.result.close());
  };
})`;
