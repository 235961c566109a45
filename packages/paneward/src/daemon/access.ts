import type { Access } from "../runtime/access/access.ts";
import { Lockouts } from "../runtime/access/lockouts.ts";
import { Logins } from "../runtime/access/logins.ts";
import { Pairings } from "../runtime/access/pairings.ts";
import { Passkeys } from "../runtime/access/passkeys.ts";
import { Sessions } from "../runtime/access/sessions.ts";
import type { World } from "../runtime/world.ts";
import { webAuthn } from "../system/web-authn.ts";

type AccessWorld = Pick<World, "clock" | "log" | "store" | "identity">;

/** How browsers and devices come in. */
export function createAccess(world: AccessWorld, policy: Access["policy"]): Access {
  const { clock, log, store, identity } = world;
  const logins = new Logins(store, clock, identity);
  const codes = new Lockouts({ clock, log }, { what: "code", hint: "scan the QR code, or open the link instead" });
  const devices = new Lockouts(
    { clock, log },
    { what: "passkey", hint: "if that was not you, revoke this device: `paneward login revoke`" },
  );
  return {
    ...{ logins, policy, identity },
    sessions: new Sessions(clock),
    pairings: new Pairings(clock, logins, codes),
    passkeys: new Passkeys({ clock, log, logins, lockouts: devices, webAuthn: webAuthn() }),
  };
}
