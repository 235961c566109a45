import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { random } from "../../../tmux/test/support/random.ts";
import { startDaemon } from "../support/daemon.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";

const kills = process.env.PANEWARD_SOAK ? 100 : 5;
const moments = ["at once", "queued", "typed", "submitted", "at random"] as const;

test(`a daemon killed ${kills} times while it delivers, and ${kills} times while it answers, types nothing twice`, {
  timeout: 3_000_000,
}, async (t) => {
  const chance = random(t);
  const daemon = await startDaemon(t);
  const { client, folder } = daemon;
  const agent = scriptedAgent(folder, "claude");
  const { id } = await client.run({ argv: [...agent.argv], cwd: folder, columns: 100, rows: 30 });
  await agent.noted("ready");

  // The moment between two steps is meant: a receipt that is found there, or chance.
  const killedAt = async (moment: (typeof moments)[number], known: ReadonlySet<string>, over: () => boolean) => {
    if (moment === "at random") await delay(chance.below(500));
    else if (moment !== "at once") {
      await until(`something is ${moment}, or past that`, async () => {
        const { deliveries } = await client.deliveries({ id });
        const one = deliveries.find((delivery) => !known.has(delivery.id));
        return over() || (one !== undefined && order.indexOf(one.state) >= order.indexOf(moment));
      });
    }
    await daemon.kill("SIGKILL");
    await daemon.start();
  };
  const known = async () => new Set((await client.deliveries({ id })).deliveries.map((delivery) => delivery.id));

  await t.test("prompts arrive once each, in their order", async () => {
    const texts: string[] = [];
    for (let at = 0; at < kills; at++) {
      const text = `prompt ${at} of many`;
      const before = await known();
      let over = false;
      const sent = client.send({ id, text, idempotency_key: text }).finally(() => {
        over = true;
      });
      const settled = sent.catch(() => undefined);
      await killedAt(moments[at % moments.length] ?? "at once", before, () => over);
      await settled;
      texts.push(text);
      await client.send({ id, text, idempotency_key: text, ack: 30 });
      await until(`${text} arrived`, () => agent.prompts().includes(text));
      assert.deepEqual(agent.prompts(), texts);
    }
  });

  await t.test("a permission is answered once, and its command runs once", async () => {
    const ran = () => agent.notes().filter(({ kind }) => kind === "ran").length;
    const asked = () =>
      client
        .questions({})
        .then(({ questions }) => questions.find((one) => one.terminal === id && one.state === "open"));
    for (let at = 0; at < kills; at++) {
      await client.send({ id, text: `RUN: echo ${at} >> answered`, ack: 30 });
      const question = await until("it asks", asked);
      const before = await known();
      let over = false;
      const answer = client.respond({ id, option: 1, question: question.id }).finally(() => {
        over = true;
      });
      const settled = answer.catch(() => undefined);
      await killedAt(moments[at % moments.length] ?? "at once", before, () => over);
      await settled;
      // Whoever still finds it asking answers again; one that is refused because nothing is asked any more does no harm.
      await until(`command ${at} ran`, async () => {
        if (ran() > at) return true;
        const open = await asked();
        if (open) await client.respond({ id, option: 1, question: open.id }).catch(() => undefined);
        return ran() > at;
      });
      await agent.noted("stopped", kills + at + 1);
    }
    const lines = Array.from({ length: kills }, (_, at) => `${at}\n`).join("");
    assert.equal(readFileSync(join(folder, "answered"), "utf8"), lines);
  });
});

const order = ["queued", "held", "typed", "submitted", "acknowledged", "failed"];
