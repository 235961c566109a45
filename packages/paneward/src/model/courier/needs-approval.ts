import { isOurs } from "./draft.ts";
import type { KeyKind, Piece } from "./key-kinds.ts";
import { isGuarded, type Sight } from "./submission.ts";

/** Texts that an agent runs in a shell. */
type Shell = RegExp | undefined;

/** Why a key may be pressed only by someone who may approve, on the screen as it is now; undefined when any caller may. */
export function keyNeedsApproval(
  sight: Sight,
  { mayAnswer, maySubmit, maySwitch }: KeyKind,
  shell: Shell,
): string | undefined {
  if (isGuarded(sight)) return "a question is open and keys would answer it";
  if (maySwitch) return "this key may switch what the agent does without asking";
  if (maySubmit && holdsCommand(sight, shell)) return inItsShell;
  if (!mayAnswer || !sight.isAgent || !sight.hasLine) return undefined;
  // The screen shows a dialog after the agent takes keys for it, and keys arrive after the look.
  if (sight.working) return "the agent works, and a key may answer a dialog that it opens at that moment";
  return isUnknown(sight) ? noLine : undefined;
}

/** The same for the Enter behind a text. What was brought into the line as a text is one, whatever it begins with. */
export function enterNeedsApproval(
  sight: Sight,
  { text, command }: { readonly text: string; readonly command?: boolean },
  shell: Shell,
): string | undefined {
  const isText = !command && !sight.inShell && isOurs(sight.draft ?? "", text, sight.pasteMark);
  if (!isText && holdsCommand(sight, shell)) return inItsShell;
  return isUnknown(sight) ? noLine : undefined;
}

/** Whether pieces of input, typed behind this draft, would submit a command to the agent's shell. */
export function submitsCommand(pieces: readonly Piece[], draft: string, shell: Shell): boolean {
  let line = draft;
  for (const { bytes, maySubmit } of pieces) {
    if (maySubmit && shell?.test(line)) return true;
    line = maySubmit ? "" : line + bytes;
  }
  return false;
}

/** Neither its input line nor a question that can be read: it may be a dialog. */
export function isUnknown({ isAgent, hasLine, draft, question }: Sight): boolean {
  return isAgent && hasLine === true && draft === undefined && question === undefined;
}

export const inItsShell = "the agent would run it in a shell";
const noLine = "its input line cannot be seen, and Enter may answer a dialog";

function holdsCommand({ inShell, draft = "" }: Sight, shell: Shell): boolean {
  return inShell === true || shell?.test(draft) === true;
}
