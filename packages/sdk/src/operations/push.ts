import { z } from "zod";
import { text } from "./fields.ts";

const subscribed = z.boolean().describe("Whether this browser gets notices");
const base64url = (maxLength: number) =>
  text(maxLength)
    .regex(/^[A-Za-z0-9_-]+$/, "this is not base64url")
    .meta({ examples: ["BPpYLPBW4xqQzqoK1_6eUQ"] });

export const push = {
  push_look: {
    input: z.object({}),
    output: z.object({
      key: z.string().describe("The daemon's public key, which a browser subscribes with"),
      subscribed,
    }),
  },
  push_subscribe: {
    input: z.object({
      endpoint: z
        .url({ protocol: /^https$/ })
        .max(2_048)
        .meta({ examples: ["https://fcm.googleapis.com/fcm/send/abc"] })
        .describe("The address that the browser's push service gave it"),
      p256dh: base64url(200).describe("The browser's public key, as it gives it"),
      auth: base64url(100),
    }),
    output: z.object({ subscribed }),
  },
  push_unsubscribe: { input: z.object({}), output: z.object({ subscribed }) },
} as const;
