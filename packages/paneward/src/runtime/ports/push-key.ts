/** The key by which push services know this daemon (VAPID). */
export interface PushKey {
  /** P-256, uncompressed, base64url: what browsers subscribe with. */
  readonly publicKey: string;
  /** The file with the private half. */
  readonly path: string;
}
