import { PanewardError } from "@paneward/sdk";
import { type Logins, loginUrl, loopbackOrigin } from "../access/logins.ts";
import type { Handlers } from "../calls.ts";
import type { World } from "../world.ts";

/** Logins to the dashboard. */
export function loginOperations(world: World, logins: Logins) {
  return {
    whoami: async (_input, { who, scope }) => {
      const login = logins.list().find(({ id }) => who === `login:${id}`);
      return { who, scope, ...(login ? { login: login.id, expiresAt: login.expiresAt } : {}) };
    },
    login_link: async ({ scope, minutes, origin }) => {
      const port = world.httpPort();
      if (port === undefined) {
        throw new PanewardError("unavailable", "the daemon has no port on loopback, so there is no dashboard", {
          hint: "set another `port` under [web] in config.toml, then `paneward daemon restart`",
        });
      }
      const known = [loopbackOrigin(port), ...world.origins];
      const at = origin === undefined ? known[0] : known.find((one) => one === origin);
      if (at === undefined) throw notAnOrigin(known);
      const { secret, expiresAt } = logins.link(scope, minutes, at);
      return { url: loginUrl(at, secret), scope, expiresAt };
    },
    login_list: async () => ({
      logins: logins.list().map(({ key: _key, token, ...shown }) => ({
        ...shown,
        by: token === undefined ? "link" : `token ${token}`,
      })),
    }),
    login_revoke: async ({ id }) => {
      logins.revoke(id);
      return { revoked: id };
    },
  } satisfies Partial<Handlers>;
}

function notAnOrigin(known: readonly string[]): PanewardError {
  return new PanewardError("bad_input", "the dashboard is not opened under this origin", {
    hint: `one of ${known.join(", ")}; others belong into \`origins\` under [web] in config.toml, then \`paneward daemon restart\``,
  });
}
