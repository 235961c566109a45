import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { amount } from "../../../tmux/test/support/amount.ts";
import { fuzz } from "../../../tmux/test/support/random.ts";
import { createAccess } from "../../src/daemon/access.ts";
import { testIdentity as identity } from "../support/identity.ts";
import { memoryWorld } from "../support/memory-world.ts";

const key = () =>
  generateKeyPairSync("ec", { namedCurve: "P-256" })
    .publicKey.export({ type: "spki", format: "der" })
    .toString("base64");

/** Devices of anybody: all have seen every code and link, as if they were photographed. */
const devices = ["own", "other", "third"].map((name) => ({
  ...{ name, key: key(), address: "100.64.0.7", origin: "https://box.example" },
}));

interface Asked {
  readonly pairing: string;
  readonly device: string;
  readonly ticket: string;
  readonly number: string;
  readonly needsPasskey: boolean;
}

test("in whatever order codes are used, numbers typed and passkeys made, a login is one device's whose number a person typed", async () => {
  await fuzz(
    async ({ below, pick }) => {
      const cleanups: (() => unknown)[] = [];
      const { deps, store, clock } = await memoryWorld({ after: (work) => void cleanups.push(work) });
      const { pairings, logins } = createAccess({ ...deps, store, clock, identity }, "required");
      const started: ReturnType<typeof pairings.start>[] = [];
      const asked: Asked[] = [];
      /** Which device's number was typed for which pairing. */
      const typed = new Set<string>();
      const allowed = new Set<string>();
      const tries = <Value>(work: () => Value): Value | undefined => {
        try {
          return work();
        } catch (error) {
          assert.ok(error instanceof PanewardError, String(error));
          return undefined;
        }
      };
      const steps: readonly (() => unknown)[] = [
        () => void started.push(pairings.start({ scope: pick(["read", "send", "approve"] as const) })),
        () => {
          if (started.length === 0) return;
          const { id, secret, code } = below(3) > 0 ? (started.at(-1) as (typeof started)[number]) : pick(started);
          const device = pick(devices);
          const needsPasskey = below(2) === 0;
          const got = tries(() => pairings.ask(pick([{ link: secret }, { code }]), { ...device, needsPasskey }));
          if (!got) return;
          assert.ok(!asked.some(({ pairing }) => pairing === id), "a code is used once");
          asked.push({ pairing: id, device: device.name, needsPasskey, ...got });
        },
        () => {
          if (started.length === 0 || asked.length === 0) return;
          const [{ id }, of] = [pick(started), pick(asked)];
          const state = tries(() =>
            pairings.confirm(id, below(3) === 0 ? String(below(10_000)).padStart(4, "0") : of.number),
          );
          const right = asked.find(({ pairing }) => pairing === id);
          if (!state || !right) return;
          typed.add(`${id} ${right.device}`);
          if (!right.needsPasskey) allowed.add(`${id} ${right.device}`);
        },
        () => {
          if (asked.length === 0) return;
          const { ticket, pairing, device } = pick(asked);
          const passkey = { id: "p", publicKey: "", counter: 0, createdAt: 0 } as never;
          if (tries(() => pairings.complete(ticket, passkey))) {
            assert.ok(typed.has(`${pairing} ${device}`), "nobody typed its number");
            allowed.add(`${pairing} ${device}`);
          }
        },
        async () => {
          if (asked.length === 0) return;
          const { ticket, pairing, device } = pick(asked);
          const found = await pairings.waitAsDevice(ticket, 0, AbortSignal.abort()).catch(() => undefined);
          if (found?.state === "paired") assert.ok(allowed.has(`${pairing} ${device}`));
        },
        () => void (started.length > 0 && below(3) === 0 && tries(() => pairings.refuse(pick(started).id))),
        () => clock.advance(pick([1_000, 60_000, 181_000])),
      ];
      for (let left = 10 + below(60); left > 0; left--) {
        await pick(steps)();
        const names = logins.list().map(({ name }) => name);
        assert.deepEqual(names.toSorted(), [...allowed].map((one) => one.split(" ")[1] ?? "").toSorted());
      }
      for (const work of cleanups.reverse()) await work();
    },
    amount(12, 5_000),
  );
});
