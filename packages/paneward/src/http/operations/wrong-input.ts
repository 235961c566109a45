import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** What is wrong with an input, as one sentence: each field with what it should be. */
export function wrongInputWords({ issues }: z.ZodError): string {
  return issues.map(issueWords).join("; ");
}

function issueWords(issue: Issue): string {
  const field = fieldPath(issue.path);
  if (issue.code === "unrecognized_keys") return `there is no field ${issue.keys.join(", ")}${field && ` in ${field}`}`;
  if (isMissing(issue)) return `${field || "the input"} is missing`;
  const bound = boundWords(issue);
  if (bound !== undefined) return `${field || "it"} ${bound}`;
  return field ? `${field}: ${issue.message}` : issue.message;
}

function isMissing(issue: Issue): boolean {
  return issue.code === "invalid_type" && /received undefined$/.test(issue.message);
}

/** Only where nobody wrote a message: zod's own begin with these words. */
function boundWords(issue: Issue): string | undefined {
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
