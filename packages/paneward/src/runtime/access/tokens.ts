import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A token as it is shown once, `pw_<id>_<secret>_<fingerprint>`, and the hash that is kept of it. */
export interface NewToken {
  readonly id: string;
  readonly token: string;
  readonly hash: string;
}

/** The fingerprint lets a client recognise the daemon before it sends the token. */
export function createToken(fingerprint: string, random: (bytes: number) => Uint8Array = randomBytes): NewToken {
  const id = hex(random(4));
  const token = `pw_${id}_${hex(random(32))}_${fingerprint}`;
  return { id, token, hash: hashOf(token) };
}

/** A secret of 256 random bits needs no slow hash. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The id inside a token; undefined if the text is not a token. */
export function tokenId(token: string): string | undefined {
  return /^pw_([0-9a-f]{8})_[0-9a-f]{64}_[0-9a-f]{32}$/.exec(token)?.[1];
}

/** Takes the same time wherever the two differ. */
export function hasHash(token: string, hash: string): boolean {
  const given = Buffer.from(hashOf(token), "hex");
  const kept = Buffer.from(hash, "hex");
  return given.length === kept.length && timingSafeEqual(given, kept);
}

/** The same text with the secrets of tokens left out: a token may be pasted where an id belongs. */
export function withoutSecrets(text: string): string {
  return text.replace(/pw_([0-9a-f]{1,8})_[0-9a-f]+/gi, "pw_$1_…");
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
