import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { testIdentity } from "../../../test/support/identity.ts";
import { memoryWorld } from "../../../test/support/memory-world.ts";
import { Logins } from "./logins.ts";
import { createToken } from "./tokens.ts";

const hour = 3_600_000;
const browser = { name: "a browser", key: testIdentity.key };

describe("a login link", () => {
  for (const [what, by] of [
    ["back", -5 * hour],
    ["forward", 5 * hour],
  ] as const) {
    test(`ends after its minutes, also when the machine's clock is set ${what}`, async (t) => {
      const { store, clock } = await memoryWorld(t);
      const logins = new Logins(store, clock, testIdentity);
      const [early, late] = [logins.link("read", 10), logins.link("read", 10)];
      clock.setWall(by);
      await clock.advance(10 * 60_000 - 1);
      assert.equal(logins.byLink(early.secret, browser).scope, "read");
      await clock.advance(1);
      assert.throws(() => logins.byLink(late.secret, browser), { code: "unauthorized" });
    });
  }
});

test("a token logs in a hundred browsers; the one that was not used for longest makes room", async (t) => {
  const { store, clock } = await memoryWorld(t);
  const logins = new Logins(store, clock, testIdentity);
  const [one, other] = [createToken(testIdentity.fingerprint), createToken(testIdentity.fingerprint)];
  for (const { id, hash } of [one, other])
    store.write((writer) => writer.putToken({ id, name: id, scope: "read", hash, createdAt: 0 }));
  const linked = logins.byLink(logins.link("read", 10).secret, browser).id;
  const apart = logins.byToken(other.token, browser).id;
  const opened: string[] = [];
  for (let count = 0; count < 100; count++) {
    await clock.advance(1_000);
    opened.push(logins.byToken(one.token, browser).id);
  }
  const [first = "", second = ""] = opened;
  assert.equal(logins.list().length, 102);
  await clock.advance(60_000);
  const used = logins.find(first);
  if (used) logins.used(used);
  logins.byToken(one.token, browser);
  assert.equal(logins.list().length, 102);
  for (const id of [linked, apart, first]) assert.ok(logins.find(id), id);
  assert.equal(logins.find(second), undefined);
});

test("a link made for one origin logs in nobody under another one, and is not used up by that", async (t) => {
  const { store, clock } = await memoryWorld(t);
  const logins = new Logins(store, clock, testIdentity);
  const { secret } = logins.link("read", 10, "https://box.example");
  for (const origin of ["http://127.0.0.1:7420", "https://box.example:8443", undefined])
    assert.throws(() => logins.byLink(secret, { ...browser, origin }), { code: "not_allowed" });
  assert.equal(logins.byLink(secret, { ...browser, origin: "https://box.example" }).origin, "https://box.example");
  assert.throws(() => logins.byLink(secret, { ...browser, origin: "https://box.example" }), { code: "unauthorized" });
});
