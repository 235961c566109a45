import assert from "node:assert/strict";
import { test } from "node:test";
import { AttachGate } from "./attach-gate.ts";

test("no command runs while a client attaches, in any order of arrival", async () => {
  const gate = new AttachGate();
  let commands = 0;
  let attachments = 0;
  let done = 0;
  const turns = async () => {
    for (let turn = 0; turn < 3; turn++) await Promise.resolve();
  };
  const command = () =>
    gate.command(async () => {
      commands += 1;
      assert.equal(attachments, 0);
      await turns();
      assert.equal(attachments, 0);
      commands -= 1;
      done += 1;
    });
  const attach = () =>
    gate.attach(async () => {
      attachments += 1;
      assert.deepEqual([commands, attachments], [0, 1]);
      await turns();
      assert.deepEqual([commands, attachments], [0, 1]);
      attachments -= 1;
      done += 1;
    });
  const loop = async (step: () => Promise<void>) => {
    for (let at = 0; at < 500; at++) await step();
  };
  await Promise.all([loop(attach), loop(attach), loop(command), loop(command), loop(command)]);
  assert.equal(done, 2_500);
  assert.equal(gate.closed, false);
});

test("a command that arrived before an attachment runs before it", async () => {
  const gate = new AttachGate();
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const attached = gate.attach(async () => {
    await first.promise;
    order.push("attached");
  });
  const command = gate.command(async () => void order.push("command"));
  const second = gate.attach(async () => void order.push("attached again"));
  first.resolve();
  await Promise.all([attached, command, second]);
  assert.deepEqual(order, ["attached", "command", "attached again"]);
});

test("a failed attachment or command opens the gate again", async () => {
  const gate = new AttachGate();
  await assert.rejects(gate.attach(() => Promise.reject(new Error("no"))));
  await assert.rejects(gate.command(() => Promise.reject(new Error("no"))));
  assert.equal(await gate.attach(async () => "yes"), "yes");
});
