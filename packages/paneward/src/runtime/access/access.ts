import type { Identity } from "../ports.ts";
import type { Logins } from "./logins.ts";
import type { Pairings } from "./pairings.ts";
import type { Passkeys } from "./passkeys.ts";
import type { Sessions } from "./sessions.ts";

/** Browsers and devices that may come in, and how this daemon proves itself to them. */
export interface Access {
  readonly logins: Logins;
  readonly sessions: Sessions;
  readonly pairings: Pairings;
  readonly passkeys: Passkeys;
  /** Whether https addresses ask for a passkey. */
  readonly policy: "required" | "off";
  readonly identity: Identity;
}
