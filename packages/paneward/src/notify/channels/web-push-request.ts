import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  randomBytes,
  sign,
} from "node:crypto";
import type { PushAddress } from "../../model/push-address.ts";

/** What a push service takes at most: 4,096 bytes encrypted. */
export const maxPayloadBytes = 3_993;

export interface PushOptions {
  /** The daemon's private key, as PEM. */
  readonly key: string;
  /** Whom a push service may ask about it: a mailto: or https: address. */
  readonly subject: string;
  /** Seconds since 1970. */
  readonly now: number;
  /** How long the service keeps it for a browser that cannot be reached. */
  readonly ttlSeconds: number;
  readonly urgency: "low" | "normal" | "high";
  /** A later message with it takes the place of one that was not delivered yet. */
  readonly topic: string;
}

/** One message for one browser: encrypted for it alone (RFC 8291), and signed by the daemon (RFC 8292). */
export function pushRequest({ endpoint, p256dh, auth }: PushAddress, payload: string, options: PushOptions) {
  const { ttlSeconds, urgency, topic } = options;
  return {
    method: "POST" as const,
    headers: {
      authorization: authorization(new URL(endpoint).origin, options),
      "content-encoding": "aes128gcm",
      "content-type": "application/octet-stream",
      ttl: String(ttlSeconds),
      ...{ urgency, topic },
    },
    body: encrypted(Buffer.from(payload), Buffer.from(p256dh, "base64url"), Buffer.from(auth, "base64url")),
  };
}

function encrypted(payload: Buffer, browser: Buffer, auth: Buffer): Buffer {
  const once = createECDH("prime256v1");
  const own = once.generateKeys();
  const salt = randomBytes(16);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser, own]);
  const secret = derived(once.computeSecret(browser), auth, info, 32);
  const key = derived(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const cipher = createCipheriv("aes-128-gcm", key, derived(secret, salt, "Content-Encoding: nonce\0", 12));
  const head = Buffer.concat([salt, Buffer.from([0, 0, 0x10, 0, own.length]), own]);
  // The byte 2 ends the last record.
  const record = Buffer.concat([payload, Buffer.from([2])]);
  return Buffer.concat([head, cipher.update(record), cipher.final(), cipher.getAuthTag()]);
}

function derived(secret: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));
}

// A service refuses more than a day; clocks differ.
const validSeconds = 12 * 3_600;

function authorization(audience: string, { key, subject, now }: PushOptions): string {
  const privateKey = createPrivateKey(key);
  const point = createPublicKey(privateKey).export({ type: "spki", format: "der" }).subarray(-65);
  const claims = { aud: audience, exp: now + validSeconds, sub: subject };
  const text = [{ typ: "JWT", alg: "ES256" }, claims].map((part) => base64url(JSON.stringify(part))).join(".");
  const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `vapid t=${text}.${base64url(signature)}, k=${base64url(point)}`;
}

function base64url(bytes: Buffer | string): string {
  return Buffer.from(bytes).toString("base64url");
}
