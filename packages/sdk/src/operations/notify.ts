import { z } from "zod";
import { id, noControl } from "./fields.ts";

export const notify = {
  presence: {
    input: z.object({
      viewer: noControl(80).min(1).describe("A name of the client's own, the same for each call"),
      sees: z
        .array(id)
        .max(1_000)
        .optional()
        .describe("Ids of tasks or terminals that a person has before the eyes; absent: all of them"),
      seconds: z.number().min(0).max(300).default(60).describe("How long this holds; 0 ends it"),
    }),
    output: z.object({ noted: z.literal(true) }),
  },
} as const;
