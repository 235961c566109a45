import type { TestDaemon } from "../packages/paneward/test/support/daemon.ts";
import { makeRepository } from "../packages/paneward/test/support/repository.ts";
import { scriptedAgent } from "../packages/paneward/test/support/scripted-agent.ts";
import { until } from "../packages/paneward/test/support/until.ts";

/** The configuration that uses the scripted agent for tasks. */
export const scriptedClaude =
  'agent = "claude"\n[agents.claude]\ncmd = ["sh", "-c", "exec $HOME/scripted-claude/claude \\"$@\\"", "claude"]\n';

/** Makes tasks and terminals in two projects, with all statuses, for pictures. */
export async function makeSampleWork(daemon: TestDaemon): Promise<{ readonly shop: string }> {
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
  await until("every task has the status for the picture", async () => {
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
  await daemon.client.refresh({ reason: "current numbers for the pictures" });
  await until("the changed lines are counted", async () => {
    const { tasks } = await daemon.client.ps({ all: "true" });
    return tasks.find(({ id }) => id === done.id)?.work?.added;
  });
  return { shop: shop.root };
}
