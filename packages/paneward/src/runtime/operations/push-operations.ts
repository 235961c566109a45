import { createPublicKey } from "node:crypto";
import { type Config, PanewardError, type Parsed } from "@paneward/sdk";
import { pushAddressTrouble } from "../../model/push-address.ts";
import type { LoginRecord } from "../../model/records.ts";
import type { Logins } from "../access/logins.ts";
import type { Caller, Handlers } from "../calls.ts";
import type { World } from "../world.ts";

/** Browsers that get notices while no page is open. Each login has one address at most, and it ends with the login. */
export function pushOperations({ pushKey, configFor }: Pick<World, "pushKey" | "configFor">, logins: Logins) {
  return {
    push_look: async (_input, caller) => ({
      key: pushKey.publicKey,
      subscribed: loginOf(logins, caller)?.push !== undefined,
    }),
    push_subscribe: async (input, caller) => {
      const login = requireLogin(logins, caller);
      const { config } = await configFor();
      requireAddress(input, pushHosts(config.notify.channels));
      logins.push(login, input);
      return { subscribed: true };
    },
    push_unsubscribe: async (_input, caller) => {
      logins.push(requireLogin(logins, caller), undefined);
      return { subscribed: false };
    },
  } satisfies Partial<Handlers>;
}

function pushHosts(channels: Config["notify"]["channels"]): readonly string[] {
  const all = Object.values(channels).filter(({ kind }) => kind === "web_push");
  return all.flatMap(({ hosts }) => (Array.isArray(hosts) ? hosts : []));
}

function requireAddress({ endpoint, p256dh, auth }: Parsed<"push_subscribe">, hosts: readonly string[]): void {
  const trouble = pushAddressTrouble(endpoint, hosts);
  if (trouble !== undefined) {
    throw new PanewardError("bad_input", `nothing is sent to this address: ${trouble}`, {
      hint: "for a push service of your own: `hosts` of a channel of kind web_push in config.toml",
    });
  }
  if (!isPoint(Buffer.from(p256dh, "base64url")) || Buffer.from(auth, "base64url").length !== 16) {
    throw new PanewardError("bad_input", "these are not the keys of a browser's subscription");
  }
}

/** An uncompressed point of P-256. */
function isPoint(bytes: Buffer): boolean {
  if (bytes.length !== 65 || bytes[0] !== 4) return false;
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((part) => part.toString("base64url"));
  try {
    createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" } });
    return true;
  } catch {
    return false;
  }
}

function requireLogin(logins: Logins, caller: Caller): LoginRecord {
  const login = loginOf(logins, caller);
  if (login) return login;
  throw new PanewardError("not_allowed", "only a browser that is logged in can get notices", {
    hint: "open the dashboard: `paneward login link`",
  });
}

function loginOf(logins: Logins, { who }: Caller): LoginRecord | undefined {
  return who.startsWith("login:") ? logins.find(who.slice("login:".length)) : undefined;
}
