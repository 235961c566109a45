import { PanewardError } from "@paneward/sdk";
import type { Hono } from "hono";
import type { Access } from "../../runtime/access/access.ts";
import type { Store } from "../../runtime/ports.ts";
import { addressOf } from "../access/address.ts";
import { factsOf } from "../access/gates.ts";
import { createRateLimit, type SteadyClock, tooMany } from "../access/limits.ts";
import { limitStrangers } from "../access/strangers.ts";
import type { HttpContext, HttpEnv } from "../env.ts";
import { identityRoute } from "./identity-route.ts";
import { loginRoutes } from "./login-routes.ts";
import { pairRoutes } from "./pair-routes.ts";
import { passkeyRoutes } from "./passkey-routes.ts";

export interface AccessRoutesOptions extends Access {
  readonly store: Pick<Store, "settled">;
  readonly clock: SteadyClock;
  /** Ends what callers have open that are not allowed any more. */
  readonly review: () => void;
}

type Handler = (c: HttpContext) => Response | Promise<Response>;
type Named = (operation: string, answer: Handler) => Handler;

/** What strangers may ask for: how they become known. */
export function mountAccess(hono: Hono<HttpEnv>, options: AccessRoutesOptions, named: Named): void {
  const { logins, sessions, passkeys, identity, store, clock, review } = options;
  const { login, session, sessionByPasskey, logout } = loginRoutes(options);
  const pair = pairRoutes(options);
  const own = passkeyRoutes(logins, sessions, passkeys, store);
  hono.get("/identity", named("identity", limitStrangers(identityLimits, clock, identityRoute(identity, sessions))));
  // Each has its own limit. A right one always passes: wrong tries of others, which may seem to be at the same address,
  // keep nobody out.
  const post = (path: string, name: string, answer: Handler) => {
    const takeWrong = createRateLimit(wrongLimits, clock);
    const limited: Handler = async (c) => {
      try {
        return await answer(c);
      } catch (error) {
        if (error instanceof PanewardError && takeWrong(addressOf(factsOf(c))) > 0) throw tooMany(wrongLimits);
        throw error;
      }
    };
    hono.post(path, named(name, limited));
  };
  post("/login", "login", login);
  post("/session", "session", session);
  post("/session/passkey", "session_passkey", sessionByPasskey);
  post("/pair", "pair", pair.ask);
  post("/pair/wait", "pair_wait_device", pair.wait);
  post("/pair/passkey", "pair_passkey", pair.passkey);
  post("/passkeys/options", "passkey_options", own.options);
  post("/passkeys", "passkey_add", own.add);
  post("/logout", "logout", async (c) => {
    const response = await logout(c);
    review();
    return response;
  });
}

// Secrets of 128 bits and more cannot be guessed; codes that can be have a lock of their own.
const wrongLimits = { perSecond: 5, burst: 50 };

const identityLimits = { perSecond: 200, burst: 1_000 };
