// Makes docs/pictures from a real run: `sh scripts/with-node.sh node scripts/pictures.ts`. Needs Chromium.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeRepository } from "../packages/paneward/test/support/repository.ts";
import { scriptedAgent } from "../packages/paneward/test/support/scripted-agent.ts";
import { openStage, type Stage } from "../packages/web/test/support/browser.ts";

const out = join(import.meta.dirname, "../docs/pictures");
const cleanings: (() => void | Promise<void>)[] = [];

const agentOnPath =
  'agent = "claude"\n[agents.claude]\ncmd = ["sh", "-c", "exec $HOME/scripted-claude/claude \\"$@\\"", "claude"]\n';

try {
  const stage = await openStage({ after: (clean) => void cleanings.push(clean) }, agentOnPath);
  mkdirSync(out, { recursive: true });
  await act(stage);
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

/** A morning's work, in a few seconds. */
async function act({ daemon }: Stage): Promise<void> {
  scriptedAgent(daemon.folder, "claude");
  const shop = makeRepository(daemon, "shop");
  const site = makeRepository(daemon, "website");
  const begin = (root: string, text: string) => daemon.client.new({ root, text });
  await begin(shop.root, "fix the flaky login test\n\nRUN: npm test -- login");
  await begin(shop.root, "faster product search\n\nSAY reading src/search.ts SLOW 120");
  const done = await begin(shop.root, "update dependencies\n\nSAY all 214 tests pass");
  await begin(site.root, "dark mode for the blog\n\nASK");
  const failed = await begin(site.root, "compress images\n\nEXIT 1");
  await daemon.client.run({
    argv: ["sh", "-c", "while :; do date '+%T GET /health 200'; sleep 2; done"],
    name: "dev-server",
    cwd: shop.root,
  });
  await delay(8_000);
  const { path } = await daemon.client.path({ id: String(done.id) });
  await daemon.client
    .run({ argv: ["sh", "-c", "printf 'one\\ntwo\\n' >> readme.md"], cwd: path, name: "edit" })
    .then(({ id }) =>
      daemon.client.wait({ ids: [id], for: [{ kind: "exited" }] }).then(() => daemon.client.rm({ id })),
    );
  await daemon.client.refresh({ reason: "the pictures want fresh numbers" });
  console.log(`the last one is task ${failed.id}`);
}

async function shoot(stage: Stage, name: string, look: Parameters<Stage["enter"]>[0], path: string): Promise<void> {
  const page = await stage.enter(look);
  await page.goto(`${stage.origin}/#/${path}`);
  await page
    .locator(path === "" ? ".card" : ".xterm-rows")
    .first()
    .waitFor();
  await delay(2_500);
  await page.screenshot({ path: join(out, `${name}.png`) });
  await page.context().close();
}
