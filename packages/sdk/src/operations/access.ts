import { z } from "zod";
import { scopes } from "../scopes.ts";
import { inQuery, noControl, oneId, whole } from "./fields.ts";

export const access = {
  whoami: {
    input: z.object({}),
    output: z.object({
      who: z.string(),
      scope: z.enum(scopes),
      login: z.string().optional().describe("The login of the browser that asks"),
      expiresAt: z.number().optional(),
    }),
  },
  login_link: {
    input: z.object({
      scope: z.enum(scopes).default("admin"),
      minutes: z.number().min(0.01).max(1_440).default(10).describe("How long the link is good"),
      origin: noControl(300)
        .optional()
        .describe("Where it is opened: one of `origins` under [web] in config.toml; without it, on this machine"),
    }),
    output: z.object({ url: z.string(), scope: z.enum(scopes), expiresAt: z.number() }),
  },
  login_list: {
    input: z.object({}),
    output: z.object({
      logins: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          scope: z.enum(scopes),
          by: z.string().describe("link, or the token that it was made with"),
          origin: z.string().optional().describe("Where the browser opened the dashboard"),
          createdAt: z.number(),
          expiresAt: z.number(),
          lastUsedAt: z.number().optional(),
        }),
      ),
    }),
  },
  login_revoke: { input: oneId, output: z.object({ revoked: z.string() }) },
  token_create: {
    input: z.object({ scope: z.enum(scopes), name: noControl(60).min(1).default("token") }),
    output: z.object({ id: z.string(), name: z.string(), scope: z.enum(scopes), token: z.string() }),
  },
  token_list: {
    input: z.object({}),
    output: z.object({
      tokens: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          scope: z.enum(scopes),
          createdAt: z.number(),
          lastUsedAt: z.number().optional(),
        }),
      ),
    }),
  },
  token_revoke: { input: oneId, output: z.object({ revoked: z.string() }) },
  audit: {
    input: z.object({ limit: inQuery(whole.min(1).max(10_000)).default(100) }),
    output: z.object({
      entries: z.array(
        z.object({
          at: z.number(),
          who: z.string(),
          door: z.string(),
          operation: z.string(),
          subject: z.string(),
          outcome: z.string(),
        }),
      ),
    }),
  },
} as const;
