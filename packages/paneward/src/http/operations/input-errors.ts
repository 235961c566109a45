import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** Describes a wrong input in one sentence: each field and what it should be. */
export function describeInputErrors({ issues }: z.ZodError): string {
  return issues.map(describeIssue).join("; ");
}

function describeIssue(issue: Issue): string {
  const field = fieldPath(issue.path);
  if (issue.code === "unrecognized_keys") return `there is no field ${issue.keys.join(", ")}${field && ` in ${field}`}`;
  if (isMissing(issue)) return `${field || "the input"} is missing`;
  const bound = describeBound(issue);
  if (bound !== undefined) return `${field || "it"} ${bound}`;
  return field ? `${field}: ${issue.message}` : issue.message;
}

function isMissing(issue: Issue): boolean {
  return issue.code === "invalid_type" && /received undefined$/.test(issue.message);
}

/** For zod's default messages only; they begin with these words. */
function describeBound(issue: Issue): string | undefined {
  if (issue.code === "too_big" && issue.message.startsWith("Too big"))
    return `must ${sizeOf(issue.origin, "at most", issue.maximum)}`;
  if (issue.code === "too_small" && issue.message.startsWith("Too small"))
    return `must ${sizeOf(issue.origin, "at least", issue.minimum)}`;
  return undefined;
}

function sizeOf(origin: string, bound: string, size: number | bigint): string {
  if (origin === "string") return `have ${bound} ${size} ${size === 1 ? "character" : "characters"}`;
  if (origin === "array") return `have ${bound} ${size} ${size === 1 ? "entry" : "entries"}`;
  return `be ${bound} ${size}`;
}

/** `env["A B"]`, `answers[0].option_indices`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((before, part) => {
    if (typeof part === "number") return `${before}[${part}]`;
    const name = String(part);
    if (!/^\w+$/.test(name)) return `${before}[${JSON.stringify(name)}]`;
    return before === "" ? name : `${before}.${name}`;
  }, "");
}
