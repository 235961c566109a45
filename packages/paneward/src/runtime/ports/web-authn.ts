import type { Passkey } from "../../model/records.ts";

/** One ceremony of WebAuthn: where the page was loaded from, such as `https://box.example`, and what has to be signed. */
export interface Ceremony {
  readonly origin: string;
  /** In base64url. */
  readonly challenge: string;
}

/** Passkeys, always with user verification. Options and responses are the JSON that pages and browsers exchange. */
export interface WebAuthn {
  makingOptions(ceremony: Ceremony, login: PasskeyOwner, known: readonly Passkey[]): Promise<object>;
  /** The new passkey; throws if the response does not belong to this ceremony. */
  made(ceremony: Ceremony, response: object): Promise<Omit<Passkey, "createdAt">>;
  usingOptions(ceremony: Ceremony, known: readonly Passkey[]): Promise<object>;
  /** The new counter; throws if the response does not prove this passkey for this ceremony. */
  used(ceremony: Ceremony, response: object, passkey: Passkey): Promise<number>;
}

/** What an authenticator shows beside a passkey. */
export interface PasskeyOwner {
  readonly id: string;
  readonly name: string;
}
