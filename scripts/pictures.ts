// Makes docs/pictures from a real run: `sh scripts/with-node.sh node scripts/pictures.ts`. Needs Chromium.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeRepository } from "../packages/paneward/test/support/repository.ts";
import { scriptedAgent } from "../packages/paneward/test/support/scripted-agent.ts";
import { until } from "../packages/paneward/test/support/until.ts";
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
  await begin(shop.root, "faster product search\n\nSAY reading src/search.ts\nSLOW 600");
  const done = await begin(shop.root, "update dependencies\n\nSAY all 214 tests pass");
  await begin(site.root, "dark mode for the blog\n\nASK");
  const failed = await begin(site.root, "compress images\n\nEXIT 1");
  await daemon.client.run({
    argv: ["sh", "-c", "while :; do date '+%T GET /health 200'; sleep 2; done"],
    name: "dev-server",
    cwd: shop.root,
  });
  await until("all of them are where the picture wants them", async () => {
    const [{ questions }, { tasks }] = await Promise.all([
      daemon.client.questions({}),
      daemon.client.ps({ all: "true" }),
    ]);
    const statusOf = (id: number) => tasks.find((task) => task.id === id)?.status;
    return questions.length === 2 && statusOf(done.id) === "Idle" && statusOf(failed.id) === "Exited";
  });
  const { path } = await daemon.client.path({ id: String(done.id) });
  await daemon.client
    .run({ argv: ["sh", "-c", "printf 'one\\ntwo\\n' >> readme.md"], cwd: path, name: "edit" })
    .then(({ id }) =>
      daemon.client.wait({ ids: [id], for: [{ kind: "exited" }] }).then(() => daemon.client.rm({ id })),
    );
  await daemon.client.refresh({ reason: "the pictures want fresh numbers" });
  await until("the changed lines are counted", async () => {
    const { tasks } = await daemon.client.ps({ all: "true" });
    return tasks.find(({ id }) => id === done.id)?.work?.added;
  });
}

async function shoot(stage: Stage, name: string, look: Parameters<Stage["enter"]>[0], path: string): Promise<void> {
  const page = await stage.enter(look);
  await page.goto(`${stage.origin}/#/${path}`);
  if (path === "") {
    await page.getByRole("heading", { name: "2 need you" }).waitFor();
    await page.locator(".card .last", { hasText: "GET /health" }).waitFor();
  } else await page.locator(".xterm-rows", { hasText: "Do you want to proceed?" }).waitFor();
  // Whatever is still being drawn is drawn then.
  await page.evaluate("new Promise((done) => requestIdleCallback(done))");
  await page.screenshot({ path: join(out, `${name}.png`) });
  await page.context().close();
}
