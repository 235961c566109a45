import { PanewardError } from "@paneward/sdk";
import { createToken } from "../access/tokens.ts";
import type { Handlers } from "../handlers.ts";
import type { Runtime } from "../world.ts";

/** Tokens for HTTP: shown once, kept as a hash, useless at once when revoked. */
export function tokenOperations(rt: Runtime) {
  return {
    token_create: async ({ scope, name }) => {
      const { id, token, hash } = createToken();
      rt.store.write((writer) => writer.putToken({ id, name, scope, hash, createdAt: rt.clock.now() }));
      return { id, name, scope, token };
    },
    token_list: async () => ({ tokens: rt.store.tokens().map(({ hash: _hash, ...shown }) => shown) }),
    token_revoke: async ({ id }) => {
      const found = rt.store.tokens().find((token) => token.id === id || token.name === id);
      const hint = "`paneward token list` shows them";
      if (!found) throw new PanewardError("not_found", `there is no token ${id}`, { hint });
      rt.store.write((writer) => writer.removeToken(found.id));
      return { revoked: found.id };
    },
  } satisfies Partial<Handlers>;
}
