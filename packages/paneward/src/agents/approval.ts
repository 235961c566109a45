import type { QuestionOption } from "@paneward/sdk";
import type { ShownQuestion } from "./reading.ts";

/** The labels in an agent's dialogs that approve or deny a permission, this once. */
export interface Approval {
  readonly approves: RegExp;
  readonly denies: RegExp;
}

/**
 * How a permission can be answered that only a hook reported. Dialogs count from 1 and begin with what approves, so both
 * numbers mean the same when the dialog is drawn.
 */
export const approveOrDeny: readonly QuestionOption[] = [
  { number: 1, label: "Yes", does: "approve" },
  { number: 0, label: "No", does: "deny" },
];

/** The question with what its options do, where one of them approves and another one denies. */
export function withApproval(question: ShownQuestion, approval: Approval | undefined): ShownQuestion {
  if (!approval || question.kind !== "permission") return question;
  const [yes, ...more] = question.options.filter(({ label }) => approval.approves.test(label));
  const [no, ...others] = question.options.filter(({ label }) => approval.denies.test(label));
  if (!yes || !no || yes === no || more.length + others.length > 0) return question;
  const does = (option: QuestionOption) => (option === yes ? "approve" : option === no ? "deny" : undefined);
  return {
    ...question,
    options: question.options.map((option) => {
      const done = does(option);
      return done === undefined ? option : { ...option, does: done };
    }),
  };
}
