import { PanewardError } from "@paneward/sdk";
import { z } from "zod";
import type { Logins } from "../../runtime/access/logins.ts";
import type { WallClock } from "../../runtime/ports.ts";
import { cookieOf, setCookie } from "../access/cookie.ts";
import type { HttpContext } from "../env.ts";
import { printable } from "../operations/answer.ts";
import { badInput, readJsonBody } from "../operations/body.ts";

const LoginBody = z.union([
  z.strictObject({ link: z.string().max(200) }),
  z.strictObject({ token: z.string().trim().max(200) }),
]);

/** POST /login sets a browser's cookie, POST /logout revokes it. */
export function loginRoutes(logins: Logins, clock: WallClock) {
  return {
    login: async (c: HttpContext): Promise<Response> => {
      const port = requirePort(c);
      const body = LoginBody.safeParse(await readJsonBody(c.req.raw, 4_096));
      if (!body.success) throw badInput("give a link or a token");
      const name = browserName(c.req.header("user-agent") ?? "");
      const { record, secret } =
        "link" in body.data ? logins.byLink(body.data.link, name) : logins.byToken(body.data.token, name);
      const seconds = Math.floor((record.expiresAt - clock.now()) / 1_000);
      c.header("set-cookie", setCookie(port, secret, seconds));
      return c.json({ login: record.id, scope: record.scope, expiresAt: record.expiresAt });
    },
    logout: async (c: HttpContext): Promise<Response> => {
      const port = requirePort(c);
      const record = logins.find(cookieOf(c.req.header("cookie"), port) ?? "");
      if (record) logins.revoke(record.id);
      c.header("set-cookie", setCookie(port, "", 0));
      return c.json({ loggedOut: record !== undefined });
    },
  };
}

function requirePort(c: HttpContext): number {
  if (c.env.via.kind === "tcp") return c.env.via.port;
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
