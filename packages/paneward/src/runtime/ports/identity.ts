/** The daemon's key, by which clients recognise it. */
export interface Identity {
  /** The public key: P-256, SPKI, base64. */
  readonly key: string;
  /** The first half of the key's SHA-256, in hex; at the end of every token. */
  readonly fingerprint: string;
  sign(text: string): string;
}
