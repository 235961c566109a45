import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import { fuzz } from "../../../tmux/test/support/random.ts";
import { createAccess } from "../../src/daemon/access.ts";
import { makeCode } from "../../src/model/pairing-code.ts";
import { pairingMs } from "../../src/runtime/access/pairings.ts";
import type { Cleanup } from "../support/folder.ts";
import { testIdentity as identity } from "../support/identity.ts";
import { memoryWorld } from "../support/memory-world.ts";

const key = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .publicKey.export({ type: "spki", format: "der" })
  .toString("base64");

/** A phone behind a proxy on this machine. */
const phone = {
  key,
  name: "Chrome on Android",
  address: "100.64.0.7",
  origin: "https://box.example",
  needsPasskey: false,
};
const stranger = { ...phone, name: "Firefox on Linux", address: "203.0.113.9" };

async function access(t: Cleanup) {
  const world = await memoryWorld(t);
  const { deps, store, clock, warnings } = world;
  return { ...createAccess({ ...deps, store, clock, identity }, "required"), clock, warnings };
}

describe("a device is paired", () => {
  test("by the link or the short code, and the number that it shows", async (t) => {
    const { pairings, logins, clock } = await access(t);
    for (const how of ["link", "code"] as const) {
      const { id, secret, code } = pairings.start({ scope: "approve", name: "Ada's phone" });
      const asking = pairings.wait(id, "open", 60_000);
      const { ticket, number } = pairings.ask(how === "link" ? { link: secret } : { code: code.toLowerCase() }, phone);
      assert.deepEqual(await asking, { state: "asked", device: "Chrome on Android", address: "100.64.0.7" });
      const waiting = pairings.waitAsDevice(ticket, 60_000);
      pairings.confirm(id, ` ${number.slice(0, 2)} ${number.slice(2)}`);
      const paired = await waiting;
      assert.ok(paired.state === "paired");
      const { name, scope, origin, paired: isPaired } = paired.login;
      assert.deepEqual(
        { name, scope, origin, isPaired },
        {
          ...{ name: "Ada's phone", scope: "approve", origin: "https://box.example", isPaired: true },
        },
      );
      assert.ok(logins.find(paired.login.id));
    }
    assert.equal(clock.waiting, 0, "nothing is left that would come due");
  });

  test("once: the second device that uses the code is refused, before and after the first is confirmed", async (t) => {
    const { pairings } = await access(t);
    const { id, secret, code } = pairings.start({ scope: "read" });
    const { number } = pairings.ask({ link: secret }, phone);
    const again = () => {
      for (const how of [{ link: secret }, { code }])
        assert.throws(() => pairings.ask(how, stranger), { code: "unauthorized", message: /used already/ });
    };
    again();
    pairings.confirm(id, number);
    again();
  });

  test("within three minutes, and within three more if it has to make a passkey", async (t) => {
    const { pairings, logins, clock } = await access(t);
    const late = pairings.start({ scope: "read" });
    await clock.advance(pairingMs);
    assert.throws(() => pairings.ask({ link: late.secret }, phone), { code: "unauthorized", message: /3 minutes/ });
    assert.equal((await pairings.wait(late.id, "open", 0)).state, "over");
    const { id, secret } = pairings.start({ scope: "read" });
    await clock.advance(pairingMs - 1);
    const { ticket, number } = pairings.ask({ link: secret }, { ...phone, needsPasskey: true });
    assert.throws(() => pairings.confirmed(ticket), { code: "unauthorized" });
    assert.equal(pairings.confirm(id, number).state, "confirmed");
    await clock.advance(pairingMs - 1);
    assert.equal(pairings.confirmed(ticket).name, "Chrome on Android");
    await clock.advance(1);
    assert.throws(() => pairings.confirmed(ticket), { code: "unauthorized", message: /no passkey/ });
    assert.deepEqual(logins.list(), []);
  });

  test("not after three wrong numbers, not when refused, not when another pairing began", async (t) => {
    const { pairings, logins } = await access(t);
    const ends: readonly ((id: string, number: string) => void)[] = [
      (id, number) => {
        const wrong = String((Number(number) + 1) % 10_000).padStart(4, "0");
        for (let tries = 0; tries < 3; tries++) assert.throws(() => pairings.confirm(id, wrong), { code: "bad_input" });
      },
      (id) => void pairings.refuse(id),
      () => void pairings.start({ scope: "admin" }),
    ];
    for (const end of ends) {
      const { id, secret } = pairings.start({ scope: "admin" });
      const { ticket, number } = pairings.ask({ link: secret }, phone);
      end(id, number);
      assert.throws(() => pairings.confirm(id, number), { code: "wrong_state" });
      assert.equal((await pairings.waitAsDevice(ticket, 0)).state, "over");
    }
    assert.deepEqual(logins.list(), []);
  });
});

describe("guessing codes", () => {
  test("is locked out by address, and others are not", async (t) => {
    const { pairings, clock, warnings } = await access(t);
    const { id, code } = pairings.start({ scope: "read" });
    const wrong = code.replace(/./, (letter) => (letter === "2" ? "3" : "2"));
    for (let tries = 0; tries < 5; tries++)
      assert.throws(() => pairings.ask({ code: wrong }, stranger), { code: "unauthorized" });
    assert.throws(() => pairings.ask({ code }, stranger), { code: "rate_limited" }, "also the right one");
    assert.match(warnings.join(), /locked out/);
    assert.throws(() => pairings.ask({ code: "not a code" }, phone), { code: "bad_input" });
    const { number } = pairings.ask({ code }, phone);
    assert.equal(pairings.confirm(id, number).state, "paired");
    await clock.advance(30_000);
    assert.throws(() => pairings.ask({ code: wrong }, stranger), { code: "unauthorized" }, "it is looked at again");
  });

  test("from any number of addresses gets twenty tries at a pairing; then only the link is left, to everybody", async (t) => {
    await fuzz(async ({ below, pick }) => {
      const { pairings, clock } = await access(t);
      const { id, secret, code } = pairings.start({ scope: "read" });
      const addresses = Array.from({ length: below(40) + 1 }, (_, at) => `10.0.0.${at}`);
      const told = pairings.wait(id, "open", pairingMs);
      let looked = 0;
      for (let tries = 0; tries < 200; tries++) {
        await clock.advance(below(500));
        const guess = makeCode(below);
        if (guess === code) continue;
        try {
          pairings.ask({ code: guess }, { ...stranger, address: pick(addresses) });
        } catch (error) {
          if ((error as { readonly code: string }).code === "unauthorized") looked++;
        }
      }
      assert.ok(looked <= 20, `${looked} tries`);
      // Behind a proxy the honest one may seem to be at the same address.
      const { number } = pairings.ask({ link: secret }, { ...phone, address: addresses[0] ?? "" });
      assert.notEqual((await told).state, "paired");
      assert.equal(pairings.confirm(id, number).state, "paired");
    }, 30);
  });
});
