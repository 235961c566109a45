import { inStore } from "./database.ts";

/** What this browser keeps of a login. The private key can be used by pages of this origin, and read by none. */
export interface KeptLogin {
  readonly login: string;
  readonly privateKey: CryptoKey;
  /** The fingerprint of the daemon that it is a login to. */
  readonly server: string;
}

// IndexedDB can hold keys that cannot be read; and a cookie goes to every port.
const only = "this browser";

export function keptLogin(): Promise<KeptLogin | undefined> {
  return inStore("logins", "readonly", (logins) => logins.get(only));
}

export async function keepLogin(login: KeptLogin): Promise<void> {
  await inStore("logins", "readwrite", (logins) => logins.put(login, only));
}

/** Also forgets what the login let it see. */
export { forgetAll as forgetLogin } from "./database.ts";
