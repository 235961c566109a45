import assert from "node:assert/strict";
import { test } from "node:test";
import { isSameServer } from "../src/server.ts";
import { killSession, listSessions } from "../src/session.ts";
import { openSession } from "../src/terminal.ts";
import { ControlConnection } from "../src/transport/control.ts";
import { amount } from "./support/amount.ts";
import { privateServer } from "./support/place.ts";

// Without the gate tmux 3.3a dereferences a null pointer here after four attachments on average.
test("the server survives control clients and sessions that open and close concurrently", async (t) => {
  const { server } = await privateServer(t);
  const attachments = amount(60, 1_000);
  let attaching = 2;
  const attachAndLeave = async () => {
    for (let at = 0; at < attachments; at++) {
      const connection = await ControlConnection.open(server, server.keeper ?? "");
      await connection.close();
    }
    attaching -= 1;
  };
  const openAndKill = async () => {
    for (let at = 0; attaching > 0; at++) {
      await openSession(server, { name: `s${at}`, argv: ["sleep", "1000"] });
      await killSession(server, `s${at}`);
    }
  };
  await Promise.all([attachAndLeave(), attachAndLeave(), openAndKill()]);
  assert.equal(await isSameServer(server), true);
  assert.deepEqual(await listSessions(server), []);
});
