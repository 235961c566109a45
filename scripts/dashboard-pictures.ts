// Makes docs/pictures from a real run: `sh scripts/with-node.sh node scripts/dashboard-pictures.ts`. Needs Chromium.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openStage, type Stage } from "../packages/web/test/support/browser.ts";
import { makeSampleWork, scriptedClaude } from "./sample-work.ts";

const out = join(import.meta.dirname, "../docs/pictures");
const cleanings: (() => void | Promise<void>)[] = [];

try {
  const stage = await openStage({ after: (clean) => void cleanings.push(clean) }, scriptedClaude);
  mkdirSync(out, { recursive: true });
  await makeSampleWork(stage.daemon);
  await shoot(stage, "overview-light", { colorScheme: "light", viewport: { width: 1_280, height: 800 } }, "");
  await shoot(stage, "overview-dark", { colorScheme: "dark", viewport: { width: 1_280, height: 800 } }, "");
  await shoot(stage, "question-dark", { colorScheme: "dark", viewport: { width: 1_280, height: 900 } }, "task/1");
  await shoot(
    stage,
    "phone",
    { colorScheme: "light", viewport: { width: 380, height: 760 }, isMobile: true },
    "task/1",
  );
} finally {
  for (const clean of cleanings.toReversed()) await clean();
}

async function shoot(stage: Stage, name: string, look: Parameters<Stage["enter"]>[0], path: string): Promise<void> {
  const page = await stage.enter(look);
  await page.goto(`${stage.origin}/#/${path}`);
  if (path === "") {
    await page.getByRole("heading", { name: "2 need you" }).waitFor();
    await page.locator(".card .last", { hasText: "GET /health" }).waitFor();
  } else await page.locator(".xterm-rows", { hasText: "Do you want to proceed?" }).waitFor();
  // Waits until the page has finished drawing.
  await page.evaluate("new Promise((done) => requestIdleCallback(done))");
  await page.screenshot({ path: join(out, `${name}.png`) });
  await page.context().close();
}
