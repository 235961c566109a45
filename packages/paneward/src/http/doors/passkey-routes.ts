import { PanewardError } from "@paneward/sdk";
import { z } from "zod";
import type { Logins } from "../../runtime/access/logins.ts";
import type { Passkeys } from "../../runtime/access/passkeys.ts";
import { loginHint, type Sessions } from "../../runtime/access/sessions.ts";
import type { Store } from "../../runtime/ports.ts";
import { bearerToken } from "../access/authenticate.ts";
import type { HttpContext } from "../env.ts";
import { badInput, readJsonBody } from "../operations/body.ts";
import { hostHeader, requirePort, tlsOrigin } from "./second-step.ts";

// What it holds is checked by WebAuthn.
const PasskeyBody = z.object({ response: z.record(z.string(), z.unknown()) });
const maxBytes = 32_768;

/** POST /passkeys/options and POST /passkeys: one more passkey for the login that a session belongs to. */
export function passkeyRoutes(logins: Logins, sessions: Sessions, passkeys: Passkeys, store: Pick<Store, "settled">) {
  const own = (c: HttpContext) => {
    requirePort(c);
    const bearer = bearerToken(c.req.header("authorization")) ?? "";
    const login = logins.find(sessions.loginOf(bearer, hostHeader(c)) ?? "");
    if (!login) throw new PanewardError("unauthorized", "this browser is not logged in", { hint: loginHint });
    const origin = tlsOrigin(c);
    if (origin === undefined) {
      throw new PanewardError("wrong_state", "passkeys are for https addresses", { hint: "this address needs none" });
    }
    return { login, origin };
  };
  return {
    options: async (c: HttpContext): Promise<Response> => {
      const { login, origin } = own(c);
      const { id, name, passkeys: known = [] } = login;
      return c.json(await passkeys.optionsToMake({ id, name }, origin, known));
    },
    add: async (c: HttpContext): Promise<Response> => {
      const { login, origin } = own(c);
      const made = await passkeys.made(login.id, origin, await passkeyResponse(c));
      const { passkeys: all = [] } = logins.addPasskey(login.id, made);
      await store.settled();
      return c.json({ passkeys: all.length });
    },
  };
}

export async function passkeyResponse(c: HttpContext): Promise<object> {
  const body = PasskeyBody.safeParse(await readJsonBody(c.req.raw, maxBytes));
  if (!body.success) throw badInput("give the `response` of a passkey");
  return body.data.response;
}
