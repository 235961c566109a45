import { z } from "zod";
import { deviceScopes, scopes } from "../scopes.ts";
import { id, inQuery, noControl, oneId, whole } from "./fields.ts";

const pairingStates = ["open", "code_is_off", "asked", "confirmed", "paired", "over"] as const;

const pairing = z.object({
  state: z
    .enum(pairingStates)
    .describe("`code_is_off`: still open, but only to the link; `confirmed`: only the passkey is missing"),
  device: z.string().optional().describe("What the device that asks calls itself"),
  address: z.string().optional().describe("Where it seems to be"),
  why: z.string().optional().describe("Why the pairing is over"),
  login: z.object({ id: z.string(), name: z.string(), scope: z.enum(scopes) }).optional(),
});

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
          by: z.string().describe("pairing, link, or the token that it was made with"),
          origin: z.string().optional().describe("Where the browser opened the dashboard"),
          passkeys: z.number().describe("How many passkeys it has"),
          createdAt: z.number(),
          expiresAt: z.number(),
          lastUsedAt: z.number().optional(),
          lastUsedFrom: z.string().optional().describe("Where it seemed to be then"),
        }),
      ),
    }),
  },
  login_revoke: { input: oneId, output: z.object({ revoked: z.string() }) },
  login_rename: {
    input: z.object({ id, name: noControl(60).min(1) }),
    output: z.object({ id: z.string(), name: z.string() }),
  },
  pair_start: {
    input: z.object({
      scope: z.enum(deviceScopes).default("approve"),
      name: noControl(60).min(1).optional().describe("What to call the device; without it, what it calls itself"),
      origin: noControl(300)
        .optional()
        .describe("Where it is opened: one of `origins` under [web]; without it, the first of them, else this machine"),
    }),
    output: z.object({
      id: z.string(),
      url: z.string().describe("What the device opens, as a QR code holds it"),
      code: z.string().describe("What a person can type instead, under the same address"),
      scope: z.enum(deviceScopes),
      expiresAt: z.number(),
      passkey: z.boolean().describe("The device has to make a passkey"),
    }),
  },
  pair_wait: {
    input: z.object({
      id,
      seen: z.enum(pairingStates).optional().describe("The state that you know; the answer waits for another one"),
      timeout: inQuery(z.number().min(0).max(60)).default(25).describe("Seconds"),
    }),
    output: pairing,
  },
  pair_confirm: {
    input: z.object({ id, number: noControl(20).min(1).describe("The number that the device shows") }),
    output: pairing,
  },
  pair_refuse: { input: oneId, output: pairing },
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
          device: z.string().optional().describe("The name of the browser or device"),
          door: z.string(),
          operation: z.string(),
          subject: z.string(),
          outcome: z.string(),
        }),
      ),
    }),
  },
} as const;
