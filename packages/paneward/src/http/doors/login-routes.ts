import { PanewardError } from "@paneward/sdk";
import { z } from "zod";
import type { Access } from "../../runtime/access/access.ts";
import { loginHint } from "../../runtime/access/sessions.ts";
import type { Store } from "../../runtime/ports.ts";
import { bearerToken } from "../access/authenticate.ts";
import type { HttpContext } from "../env.ts";
import { badInput, readJsonBody } from "../operations/body.ts";
import { browserName } from "./browser-name.ts";
import { hostOf } from "./identity-route.ts";
import { passkeyResponse } from "./passkey-routes.ts";
import { hostHeader, needsPasskey, requirePort, tlsOrigin } from "./second-step.ts";

const key = z.string().max(400);
const LoginBody = z.union([
  z.strictObject({ link: z.string().max(200), key }),
  z.strictObject({ token: z.string().trim().max(200), key }),
]);

const SessionBody = z.strictObject({
  login: z.string().max(40),
  challenge: z.string().max(100),
  signature: z.string().max(200),
});

interface LoginRoutesOptions extends Access {
  readonly store: Pick<Store, "settled">;
}

/**
 * POST /login registers a browser's public key, POST /session opens a session by its signature, POST /session/passkey does
 * where a passkey is needed beside it, POST /logout ends both.
 */
export function loginRoutes({ logins, sessions, passkeys, policy, store }: LoginRoutesOptions) {
  return {
    login: async (c: HttpContext): Promise<Response> => {
      requirePort(c);
      if (needsPasskey(c, policy)) {
        throw new PanewardError("not_allowed", "a link or a token is not enough at this address", {
          hint: "pair this device: `paneward pair`",
        });
      }
      const body = LoginBody.safeParse(await readJsonBody(c.req.raw, 4_096));
      if (!body.success) throw badInput("give a link or a token, and the browser's public key");
      const browser = {
        name: browserName(c.req.header("user-agent") ?? ""),
        key: body.data.key,
        origin: c.get("site")?.origin,
      };
      const record =
        "link" in body.data ? logins.byLink(body.data.link, browser) : logins.byToken(body.data.token, browser);
      await store.settled();
      return c.json({ login: record.id, scope: record.scope, expiresAt: record.expiresAt });
    },
    session: async (c: HttpContext): Promise<Response> => {
      requirePort(c);
      const body = SessionBody.safeParse(await readJsonBody(c.req.raw, 4_096));
      if (!body.success) throw badInput("give the login, a challenge of /identity, and its signature");
      const { login, challenge, signature } = body.data;
      const record = logins.find(login);
      if (!record) throw new PanewardError("unauthorized", "this browser is not logged in", { hint: loginHint });
      sessions.prove(record, hostOf(c), challenge, signature);
      const origin = tlsOrigin(c);
      // A key that was copied from one address is of no use under another, where less may be asked for.
      if (overTls(record) !== origin) {
        throw new PanewardError("unauthorized", "this browser is logged in at another address", { hint: loginHint });
      }
      if (origin === undefined || !needsPasskey(c, policy)) {
        return c.json({ session: sessions.open(record, hostHeader(c)) });
      }
      return c.json({ passkey: await passkeys.optionsToUse(record, origin) });
    },
    sessionByPasskey: async (c: HttpContext): Promise<Response> => {
      requirePort(c);
      const response = await passkeyResponse(c);
      const record = await passkeys.used(response, tlsOrigin(c) ?? "");
      return c.json({ session: sessions.open(record, hostHeader(c)) });
    },
    logout: async (c: HttpContext): Promise<Response> => {
      requirePort(c);
      const bearer = bearerToken(c.req.header("authorization")) ?? "";
      const record = logins.find(sessions.loginOf(bearer, hostHeader(c)) ?? "");
      if (record) logins.revoke(record.id);
      await store.settled();
      return c.json({ loggedOut: record !== undefined });
    },
  };
}

function overTls({ origin }: { readonly origin?: string | undefined }): string | undefined {
  return origin?.startsWith("https:") ? origin : undefined;
}
