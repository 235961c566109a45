import type { Output } from "@paneward/sdk";
import { pairUrl } from "../access/logins.ts";
import { nameOf, type PairingState } from "../access/pairing-state.ts";
import type { Pairings } from "../access/pairings.ts";
import type { Handlers } from "../calls.ts";
import type { World } from "../world.ts";
import { dashboardOrigin } from "./dashboard-origin.ts";

/** The terminal's side of pairing a device. */
export function pairingOperations(world: World, pairings: Pairings) {
  return {
    pair_start: async ({ scope, name, origin: wanted }) => {
      const origin = dashboardOrigin(world, wanted, reachable);
      const { id, secret, code, expiresAt } = pairings.start({ scope, name });
      const passkey = origin.startsWith("https:") && world.passkeys === "required";
      return { id, url: pairUrl(origin, secret, world.identity.fingerprint), code, scope, expiresAt, passkey };
    },
    pair_wait: async ({ id, seen, timeout }, { signal }) =>
      shown(await pairings.wait(id, seen, timeout * 1_000, signal)),
    pair_confirm: async ({ id, number }) => shown(pairings.confirm(id, number)),
    pair_refuse: async ({ id }) => shown(pairings.refuse(id)),
  } satisfies Partial<Handlers>;
}

/** A phone reaches what a proxy serves; this machine's own address comes first in the list. */
function reachable(origins: readonly string[]): string | undefined {
  return origins.find((origin) => origin.startsWith("https:")) ?? origins.at(1) ?? origins[0];
}

function shown(state: PairingState): Output<"pair_wait"> {
  const named = { state: nameOf(state) };
  if (state.state === "asked" || state.state === "confirmed") {
    return { ...named, device: state.device, address: state.address };
  }
  if (state.state === "over") return { ...named, why: state.why };
  if (state.state !== "paired") return named;
  const { id, name, scope } = state.login;
  return { ...named, login: { id, name, scope } };
}
