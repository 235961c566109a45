import { z } from "zod";
import { noControl, path } from "./fields.ts";

const folder = path.min(1).describe("Any folder of the repository, or a task's worktree");

const runs = z.array(
  z.object({
    what: z.string().describe("A key of the configuration, or a file"),
    text: z.string().describe("What it runs; control characters are shown as codes, a long script is cut"),
    trusted: z.boolean(),
  }),
);

export const trust = {
  trust_look: {
    input: z.object({ root: folder }),
    output: z.object({
      root: z.string(),
      trusted: z.boolean().describe("Also true if it runs nothing"),
      digest: z.string().describe("Of all that it would run; `trust` takes it, so that nothing else is trusted"),
      runs,
    }),
  },
  trust: {
    input: z.object({ root: folder, digest: noControl(100).min(1) }),
    output: z.object({ root: z.string(), trusted: z.number().int().describe("How many commands and files") }),
  },
  trust_list: {
    input: z.object({}),
    output: z.object({
      repositories: z.array(
        z.object({ root: z.string(), trusted: z.array(z.string()), by: z.string(), at: z.number() }),
      ),
    }),
  },
  trust_revoke: { input: z.object({ root: path.min(1) }), output: z.object({ revoked: z.string() }) },
} as const;
