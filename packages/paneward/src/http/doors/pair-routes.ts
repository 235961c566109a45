import { z } from "zod";
import type { Access } from "../../runtime/access/access.ts";
import type { Store } from "../../runtime/ports.ts";
import { addressOf } from "../access/address.ts";
import { factsOf } from "../access/gates.ts";
import type { HttpContext } from "../env.ts";
import { badInput, readJsonBody } from "../operations/body.ts";
import { browserName } from "./browser-name.ts";
import { passkeyResponse } from "./passkey-routes.ts";
import { needsPasskey, requirePort, tlsOrigin } from "./second-step.ts";

const key = z.string().max(400);
const AskBody = z.union([
  z.strictObject({ link: z.string().max(100), key }),
  z.strictObject({ code: z.string().max(100), key }),
]);

interface PairRoutesOptions extends Access {
  readonly store: Pick<Store, "settled">;
}

/**
 * What a device does to be paired: POST /pair uses the code and gets a number to show and a ticket; POST /pair/wait waits for
 * the person at the terminal; POST /pair/passkey brings the passkey, where one is needed.
 */
export function pairRoutes({ pairings, passkeys, policy, identity, store }: PairRoutesOptions) {
  return {
    ask: async (c: HttpContext): Promise<Response> => {
      requirePort(c);
      const body = AskBody.safeParse(await readJsonBody(c.req.raw, 4_096));
      if (!body.success) throw badInput("give the code or the link, and the browser's public key");
      const { key, ...how } = body.data;
      const asked = pairings.ask(how, {
        key,
        name: browserName(c.req.header("user-agent") ?? ""),
        address: addressOf(factsOf(c)),
        origin: c.get("site")?.origin,
        needsPasskey: needsPasskey(c, policy),
      });
      return c.json({ ...asked, server: identity.fingerprint });
    },
    wait: async (c: HttpContext): Promise<Response> => {
      requirePort(c);
      const ticket = ticketOf(c);
      const found = await pairings.waitAsDevice(ticket, waitMs, c.req.raw.signal);
      if (found.state === "over") return c.json({ state: "over", why: found.why });
      if (found.state === "paired") {
        await store.settled();
        return c.json({ state: "paired", login: found.login.id, scope: found.login.scope });
      }
      if (found.state !== "confirmed") return c.json({ state: "asked" });
      const { id, name, origin } = pairings.confirmed(ticket);
      return c.json({ state: "confirmed", options: await passkeys.optionsToMake({ id, name }, origin ?? "", []) });
    },
    passkey: async (c: HttpContext): Promise<Response> => {
      requirePort(c);
      const ticket = ticketOf(c);
      const { id } = pairings.confirmed(ticket);
      const made = await passkeys.made(id, tlsOrigin(c) ?? "", await passkeyResponse(c));
      const login = pairings.complete(ticket, made);
      await store.settled();
      return c.json({ login: login.id, scope: login.scope });
    },
  };
}

// Proxies end what is silent for longer than a minute.
const waitMs = 20_000;

/** In a header, as a session is. */
function ticketOf(c: HttpContext): string {
  return c.req.header("x-paneward-ticket") ?? "";
}
