import { PanewardError } from "@paneward/sdk";
import { askedUnder, serverText } from "@paneward/sdk/identity";
import type { Sessions } from "../../runtime/access/sessions.ts";
import type { Identity } from "../../runtime/ports.ts";
import type { HttpContext } from "../env.ts";

/** GET /identity proves who answers, to a client that has sent nothing yet. The Host was checked before. */
export function identityRoute(identity: Identity, sessions: Sessions): (c: HttpContext) => Response {
  return (c) => {
    const nonce = c.req.query("nonce") ?? "";
    if (!/^[0-9a-f]{32,128}$/.test(nonce)) {
      throw new PanewardError("bad_input", "give a `nonce` of 32 to 128 hexadecimal digits");
    }
    const challenge = sessions.challenge();
    const under = hostOf(c);
    const signature = identity.sign(serverText({ host: under, nonce }, challenge));
    return c.json({ key: identity.key, signature, challenge, under });
  };
}

/** What the client knows the daemon by, which both sign. On the Unix socket, where it proves nothing, the Host. */
export function hostOf(c: HttpContext): string {
  const site = c.get("site");
  return site ? askedUnder(site) : (c.req.header("host")?.toLowerCase() ?? "");
}
