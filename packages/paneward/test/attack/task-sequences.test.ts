import { rmSync } from "node:fs";
import { test } from "node:test";
import { amount } from "../../../tmux/test/support/amount.ts";
import { fuzz } from "../../../tmux/test/support/random.ts";
import { startDaemon } from "../support/daemon.ts";
import { Model } from "./support/sequence-model.ts";
import { Place } from "./support/sequence-place.ts";
import { oddRepository } from "./support/sequence-repository.ts";
import { anyStep, operate, thereOrGone } from "./support/sequence-steps.ts";

const quiet = 'agent = "quiet"\n[agents.quiet]\ncmd = ["sleep", "100000"]\n';

test("whatever is done with tasks, in whatever order and with kills in between, no work is lost", async (t) => {
  const daemon = await startDaemon(t, quiet);
  const counts = new Map<string, number>();
  let number = 0;
  await fuzz(
    async (random) => {
      const repository = oddRepository(daemon, `r${++number}`, random);
      const model = new Model(repository, new Place(repository.from, daemon.env));
      const log = [repository.kind, repository.root];
      const scene = { daemon, model, random, log, counts };
      try {
        for (let left = 6 + random.below(12); left > 0; left--) await anyStep(scene);
        for (const task of model.tasks.values()) {
          await operate(scene, "rm", () => daemon.client.rm({ id: task.id }));
          await thereOrGone(scene, task);
        }
        model.checkWhole();
      } catch (cause) {
        throw new Error(`${(cause as Error).message}\nafter\n${log.join("\n")}`, { cause });
      }
      for (const folder of [repository.root, repository.from]) rmSync(folder, { recursive: true, force: true });
    },
    amount(2, 400),
  );
  t.diagnostic(JSON.stringify(Object.fromEntries(counts)));
});
