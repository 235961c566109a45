import assert from "node:assert/strict";
import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import { fuzz } from "../../../tmux/test/support/random.ts";
import { webAuthn } from "../../src/system/web-authn.ts";
import { flipped } from "../attack/support/hostile.ts";

const origin = "https://box.test";
const challenge = Buffer.alloc(32, 5).toString("base64url");

type Cbor = number | string | Buffer | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

function cbor(value: Cbor): Buffer {
  const head = (major: number, count: number) =>
    count < 24
      ? Buffer.from([(major << 5) | count])
      : count < 256
        ? Buffer.from([(major << 5) | 24, count])
        : Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one as Cbor)])]);
  const list = value as readonly Cbor[];
  return Buffer.concat([head(4, list.length), ...list.map(cbor)]);
}

/** What a browser answers with a new passkey. */
function made(fmt: string, statement: ReadonlyMap<string, Cbor>, change = (bytes: Buffer) => bytes): object {
  const { x = "", y = "" } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
  const point = (text: string) => Buffer.from(text, "base64url");
  const key = new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, point(x)],
    [-3, point(y)],
  ]);
  const id = Buffer.alloc(16, 7);
  const [present, counter, authenticator, length] = [
    Buffer.from([0x45]),
    Buffer.alloc(4),
    Buffer.alloc(16),
    Buffer.from([0, 16]),
  ];
  const site = createHash("sha256").update("box.test").digest();
  const authData = Buffer.concat([site, present, counter, authenticator, length, id, cbor(key)]);
  const attestation = cbor(
    new Map<string, Cbor>([
      ["fmt", fmt],
      ["attStmt", statement],
      ["authData", authData],
    ]),
  );
  const client = Buffer.from(JSON.stringify({ type: "webauthn.create", challenge, origin }));
  const text = (bytes: Buffer) => bytes.toString("base64url");
  return {
    ...{ id: text(id), rawId: text(id), type: "public-key", clientExtensionResults: {} },
    response: { clientDataJSON: text(client), attestationObject: text(change(attestation)), transports: ["internal"] },
  };
}

describe("a new passkey", () => {
  const take = (response: object) => webAuthn().made({ origin, challenge }, response);

  test("is taken as browsers make it, without a word about the authenticator", async () => {
    const { id, counter } = await take(made("none", new Map()));
    assert.deepEqual([Buffer.from(id, "base64url").length, counter], [16, 0]);
  });

  test("with certificates is refused before one of them is looked at", async () => {
    const certificates = new Map<string, Cbor>([
      ["alg", -7],
      ["sig", Buffer.alloc(70)],
      ["x5c", [Buffer.alloc(300, 0x30)]],
    ]);
    for (const fmt of ["packed", "fido-u2f", "tpm", "apple", "android-key", "android-safetynet"])
      await assert.rejects(take(made(fmt, certificates)), /it brings certificates, and none are asked for/, fmt);
  });

  test("of any bytes is refused or taken, in a moment", () =>
    fuzz(async (random) => {
      const began = performance.now();
      const nested = Buffer.alloc(24_000, random.pick([0x81, 0xa1, 0x9f, 0xbf, 0xc0]));
      const change = random.pick([
        (bytes: Buffer) => flipped(random, bytes),
        () => nested,
        (bytes: Buffer) => bytes.subarray(0, random.below(200)),
      ]);
      await take(made("none", new Map(), change)).catch((error: unknown) => assert.ok(error instanceof Error));
      assert.ok(performance.now() - began < 2_000);
    }, 100));
});
