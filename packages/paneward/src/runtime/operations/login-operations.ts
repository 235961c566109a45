import { PanewardError } from "@paneward/sdk";
import { type Logins, loginUrl } from "../access/logins.ts";
import type { Handlers } from "../calls.ts";
import type { World } from "../world.ts";
import { dashboardOrigin } from "./dashboard-origin.ts";

/** Logins to the dashboard. */
export function loginOperations(world: World, logins: Logins) {
  return {
    whoami: async (_input, { who, scope }) => {
      const login = logins.list().find(({ id }) => who === `login:${id}`);
      return { who, scope, ...(login ? { login: login.id, expiresAt: login.expiresAt } : {}) };
    },
    login_link: async ({ scope, minutes, origin }) => {
      const at = dashboardOrigin(world, origin);
      if (at.startsWith("https:") && world.passkeys === "required") {
        throw new PanewardError("wrong_state", `a link is not enough at ${at}`, {
          hint: "`paneward pair` pairs a device that has a passkey; `passkeys` under [web] in config.toml says why",
        });
      }
      const { secret, expiresAt } = logins.link(scope, minutes, at);
      return { url: loginUrl(at, secret), scope, expiresAt };
    },
    login_list: async () => ({
      logins: logins.list().map(({ key: _key, push: _push, token, paired, passkeys = [], ...shown }) => ({
        ...shown,
        by: paired ? "pairing" : token === undefined ? "link" : `token ${token}`,
        passkeys: passkeys.length,
      })),
    }),
    login_revoke: async ({ id }) => {
      logins.revoke(id);
      return { revoked: id };
    },
    login_rename: async ({ id, name }) => {
      logins.update(id, () => ({ name }));
      return { id, name };
    },
  } satisfies Partial<Handlers>;
}
