import { z } from "zod";
import { shellVariable } from "../names.ts";
import { teamNamePattern } from "../team-names.ts";

export const text = (maxLength: number) => z.string().max(maxLength);
export const noControl = (maxLength: number) =>
  text(maxLength).regex(/^[^\u0000-\u001f\u007f]*$/, "control characters are not allowed here");
export const id = noControl(120)
  .min(1)
  .regex(/^(?!\.{1,2}$)[^/\\]*$/, "an id holds no slash and is not . or ..");
export const path = text(4_096).regex(/^[^\u0000\n\r]*$/, "a path cannot hold line breaks");
export const yes = z
  .string()
  .meta({ examples: ["true"] })
  .pipe(z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] }));
export const whole = z.number().int();
// A query holds text only. z.coerce would also take "", null and true for numbers.
export const inQuery = (number: z.ZodNumber) =>
  z.preprocess((value) => (isDigits(value) ? Number(value) : value), number);
const isDigits = (value: unknown) => typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value);
export const oneId = z.object({ id });

/** A door that runs in the caller's shell gives them. */
export const variables = z
  .record(z.string().regex(shellVariable, "only PATH and what else a program takes over from a shell"), text(100_000))
  .optional()
  .meta({ examples: [{ PATH: "/usr/local/bin:/usr/bin:/bin" }] })
  .describe("PATH and what else the program takes over from the caller's shell; without them, the daemon's");
export const idAndVariables = z.object({ id, variables });

export const terminalName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9._-]{0,59}$/, "a name has 1 to 60 of A-Z a-z 0-9 . _ - and begins with a letter")
  .refine((name) => !/^t\d+$/.test(name), "a name cannot look like a terminal's id");

export const teamName = z.string().regex(teamNamePattern, "a name has 1 to 100 characters from A-Z a-z 0-9 . _ -");
export const words = text(200_000)
  .min(1)
  .regex(/^[^\u0000]*$/, "a text holds no zero bytes");
export const asAgent = teamName.optional().describe("The name to speak by; absent: user, or mcp for a model");

export const rescue = z.string().optional().describe("Where unmerged work was kept; `undo` brings it back");
