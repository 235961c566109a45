import { existsSync } from "node:fs";
import { after, afterEach, before } from "node:test";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { buildDashboard } from "../../build.ts";
import { type Cleanup, startDaemon, type TestDaemon, until } from "./product.ts";

const flags = [
  ...["--no-sandbox", "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

// The shell is Chromium's own code without the windows around the pages: it draws and runs them alike, for half the
// processor time. It grants no notifications and knows nothing about installing an app.
const whole = "/usr/bin/chromium";
const shell = "/usr/bin/chromium-headless-shell";

type BrowserKind = "whole" | "shell";

/** Timeout of every condition: generous, as a test machine may be slow. */
export const timeoutMs = 30_000;

export interface Stage {
  readonly daemon: TestDaemon;
  readonly browser: Browser;
  readonly origin: string;
  /** A page that is logged in. */
  enter(options?: BrowserContextOptions, scope?: "read" | "send" | "approve" | "admin"): Promise<Page>;
  /** A page of a browser that is not logged in. */
  anonymous(options?: BrowserContextOptions): Promise<Page>;
}

/** One stage for all tests of a suite; each begins without the pages of the others, which would go on drawing. */
export function sharedStage(
  config: string | (() => Promise<string>) = "",
  kind: BrowserKind = "shell",
  moreFlags: () => readonly string[] = () => [],
): () => Stage {
  const cleanups: (() => void | Promise<void>)[] = [];
  let stage: Stage | undefined;
  before(async () => {
    const text = typeof config === "string" ? config : await config();
    stage = await openStage({ after: (clean) => void cleanups.push(clean) }, text, kind, moreFlags());
  });
  afterEach(async (t) => {
    const contexts = stage?.browser.contexts() ?? [];
    if ("passed" in t && !t.passed)
      for (const page of contexts.flatMap((context) => context.pages())) await print(page);
    await Promise.all(contexts.map((context) => context.close()));
  });
  after(async () => {
    for (const clean of cleanups.toReversed()) await clean();
  });
  return () => {
    if (!stage) throw new Error("the stage is not open yet");
    return stage;
  };
}

/** What a page showed when a test failed. */
async function print(page: Page): Promise<void> {
  const shown = await page.locator("body").innerText({ timeout: 5_000 }).catch(String);
  process.stdout.write(`${page.url()} showed:\n${shown}\n`);
}

/** Waits until an expression is true in the page. Evaluated from outside, as the page's policy forbids eval. */
export function holds(page: Page, expression: string): Promise<unknown> {
  return until(`${expression} holds`, () => page.evaluate(expression));
}

/** Turns on typing into the live terminal. */
export async function typeHere(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Type here" }).click();
  await page.getByRole("button", { name: "Type here", pressed: true }).waitFor();
  await page.locator(".xterm-helper-textarea").focus();
}

/** The real daemon and one real browser. */
export async function openStage(
  t: Cleanup,
  config = "",
  kind: BrowserKind = "whole",
  moreFlags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  await buildDashboard();
  const daemon = await startDaemon(t, config, env);
  const executablePath = kind === "shell" && existsSync(shell) ? shell : whole;
  const browser = await chromium.launch({ executablePath, args: [...flags, ...moreFlags], timeout: 60_000 });
  t.after(() => browser.close());
  const anonymous = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 860 }, ...options });
    context.setDefaultTimeout(timeoutMs);
    return context.newPage();
  };
  return {
    daemon,
    browser,
    origin: `http://127.0.0.1:${daemon.port}`,
    anonymous,
    async enter(options, scope = "admin") {
      const page = await anonymous(options);
      const { url } = await daemon.client.login_link({ scope });
      await page.goto(url);
      await page.locator("nav.nav").waitFor();
      return page;
    },
  };
}
