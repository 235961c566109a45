import { PanewardError } from "@paneward/sdk";
import { createToken } from "../access/tokens.ts";
import type { Handlers } from "../calls.ts";
import type { World } from "../world.ts";

/** Tokens for HTTP: shown once, kept as a hash, useless at once when revoked. */
export function tokenOperations(world: World) {
  return {
    token_create: async ({ scope, name }) => {
      const { id, token, hash } = createToken(world.identity.fingerprint);
      world.store.write((writer) => writer.putToken({ id, name, scope, hash, createdAt: world.clock.now() }));
      return { id, name, scope, token };
    },
    token_list: async () => ({ tokens: world.store.tokens().map(({ hash: _hash, ...shown }) => shown) }),
    token_revoke: async ({ id }) => {
      const found = world.store.tokens().find((token) => token.id === id || token.name === id);
      const hint = "`paneward token list` shows them";
      if (!found) throw new PanewardError("not_found", `there is no token ${id}`, { hint });
      world.store.write((writer) => writer.removeToken(found.id));
      return { revoked: found.id };
    },
  } satisfies Partial<Handlers>;
}
