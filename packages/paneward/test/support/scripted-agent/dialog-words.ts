import type { Dialog, DialogAnswer } from "./dialog.ts";

/** The dialogs that keywords in a prompt open. */
export function dialogsOf(ownWords: string) {
  return {
    ask: { kind: "choice", title: "Which color?", detail: "", options: ["Red", "Blue", ownWords], own: 2 },
    ask_many: { kind: "many", title: "Which colors?", detail: "", options: ["Red", "Blue", "Green"] },
    plan: {
      kind: "plan",
      title: "Would you like to proceed?",
      detail: "Here is the plan: one step.",
      options: ["Yes, and auto-accept edits", "Yes, and manually approve edits", "No, keep planning"],
    },
  } as const satisfies Readonly<Record<string, Pick<Dialog, "kind" | "title" | "detail" | "options" | "own">>>;
}

/** An answer as the agent prints it. */
export function spoken(answer: DialogAnswer, options: readonly string[]): string {
  if (answer.kind === "text") return answer.text;
  if (answer.kind === "options") return answer.indices.map((index) => options[index]).join(", ");
  return answer.kind === "option" ? (options[answer.index] ?? "") : "nothing";
}

/** Parses the output of a blocking PermissionRequest hook that decides. */
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
