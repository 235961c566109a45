import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { testIdentity } from "../../../test/support/identity.ts";
import { memoryWorld } from "../../../test/support/memory-world.ts";
import { Logins } from "./logins.ts";

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
