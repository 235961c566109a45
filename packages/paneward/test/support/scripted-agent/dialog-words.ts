import type { DialogAnswer } from "./dialog.ts";

/** An answer as the agent says it. */
export function spoken(answer: DialogAnswer, options: readonly string[]): string {
  if (answer.kind === "text") return answer.text;
  if (answer.kind === "options") return answer.indices.map((index) => options[index]).join(", ");
  return answer.kind === "option" ? (options[answer.index] ?? "") : "nothing";
}

/** What a blocking PermissionRequest hook prints when it decides. */
export function decisionOf(said: Readonly<Record<string, unknown>> | undefined): DialogAnswer | undefined {
  const output = said?.hookSpecificOutput as
    | { readonly decision?: { readonly behavior?: string; readonly updatedInput?: { readonly answers?: object } } }
    | undefined;
  const decision = output?.decision;
  if (!decision) return undefined;
  if (decision.behavior !== "allow") return { kind: "escape" };
  const [chosen] = Object.values(decision.updatedInput?.answers ?? {});
  return chosen === undefined ? { kind: "option", index: 0 } : { kind: "text", text: String(chosen) };
}
