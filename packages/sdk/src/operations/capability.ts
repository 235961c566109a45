import { z } from "zod";
import { type ErrorCode, errorTable } from "../errors.ts";
import { noControl, text } from "./fields.ts";

const CapabilityResult = z.discriminatedUnion("success", [
  z.object({ success: z.literal(true), data: z.record(z.string(), z.unknown()) }),
  z.object({ success: z.literal(false), error: z.string(), suggestion: z.string() }),
]);
export type CapabilityResult = Readonly<z.infer<typeof CapabilityResult>>;

export const capability = {
  capability: {
    input: z.object({
      text: text(262_144).optional().describe("Text with <capability …> tags; other text is ignored"),
      action: noControl(100).optional(),
      params: z.record(noControl(100), z.union([text(65_536), z.number(), z.boolean()])).optional(),
    }),
    output: z.object({
      results: z.array(CapabilityResult),
      failed: z
        .enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]])
        .optional()
        .describe("Why the first call that failed did"),
    }),
  },
} as const;
