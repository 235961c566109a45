import { PanewardError } from "@paneward/sdk";
import { z } from "zod";
import type { Logins } from "../../runtime/access/logins.ts";
import { loginHint, type Sessions } from "../../runtime/access/sessions.ts";
import type { Store } from "../../runtime/ports.ts";
import { bearerToken } from "../access/authenticate.ts";
import type { HttpContext } from "../env.ts";
import { printable } from "../operations/answer.ts";
import { badInput, readJsonBody } from "../operations/body.ts";
import { hostOf } from "./identity-route.ts";

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

/** POST /login registers a browser's public key, POST /session opens a session by its signature, POST /logout ends both. */
export function loginRoutes(logins: Logins, sessions: Sessions, store: Pick<Store, "settled">) {
  return {
    login: async (c: HttpContext): Promise<Response> => {
      requirePort(c);
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
      return c.json({ session: sessions.open(record, hostOf(c), challenge, signature) });
    },
    logout: async (c: HttpContext): Promise<Response> => {
      requirePort(c);
      const record = logins.find(sessions.loginOf(bearerToken(c.req.header("authorization")) ?? "") ?? "");
      if (record) logins.revoke(record.id);
      await store.settled();
      return c.json({ loggedOut: record !== undefined });
    },
  };
}

function requirePort(c: HttpContext): void {
  if (c.env.via.kind !== "tcp")
    throw new PanewardError("wrong_state", "the Unix socket needs no login", { hint: "log in over loopback" });
}

/** A browser's name as people know it. */
function browserName(userAgent: string): string {
  const browser = known.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (!browser) return printable(userAgent.slice(0, 60), 60) || "a browser";
  return system ? `${browser} on ${system}` : browser;
}

const known = [
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrom(e|ium)\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;

const systems = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Mac OS X/, "macOS"],
  [/Windows/, "Windows"],
  [/Linux/, "Linux"],
] as const;
