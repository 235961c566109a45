import type { Reading, ScreenReading, ScreenView } from "../agent.ts";
import { linesAbove, trimmed, unwrapped } from "../screen/wrapped.ts";
import { readCodexDialog } from "./dialog.ts";

/**
 * Codex 0.166's screen. The input line is below the conversation; a dialog replaces it:
 *
 *   • Working (1s • esc to interrupt)     or    Worked for 3s • 01:35    or    ■ Conversation interrupted
 *
 *   › Ask Codex to do anything
 *
 *     gpt-5 default · ~/shop
 */
export function readCodexScreen(view: ScreenView): ScreenReading | undefined {
  const lines = trimmed(view.lines);
  const question = readCodexDialog(lines, view.columns);
  if (question) {
    const signedOut = /^(Welcome to Codex|Choose how you want to use Codex)/.test(question.text);
    return {
      says: "needs_input",
      rule: `a ${question.kind} dialog is open`,
      question,
      ...(signedOut && { detail: "login_expired" as const }),
    };
  }
  // In shell mode a submitted text runs as a command. As a draft, the `!` keeps ours out.
  const isShell = lines.slice(-3).some((line) => /\sShell mode(\s|$)/.test(line));
  const row = lines.findLastIndex((line) => (isShell ? /^[!›]/ : /^›/).test(line));
  if (row < 0) return undefined;
  const draft = draftAt(lines, row, view);
  return {
    ...atPrompt(lines, row),
    draft: isShell && lines[row]?.startsWith("!") ? `!${draft}` : draft,
    inShell: isShell,
  };
}

export function readCodexTitle(title: string): Reading | undefined {
  if (title === "") return undefined;
  if (/^\[ [!.] \] Action Required/.test(title)) return { says: "needs_input", rule: "its title asks for action" };
  if (/^[⠀-⣿] /u.test(title)) return { says: "working", rule: "its title's spinner turns" };
  return { says: "idle", rule: "its title names the folder only" };
}

function atPrompt(lines: readonly string[], row: number): Omit<ScreenReading, "draft"> {
  const above = linesAbove(lines, row, 40);
  const tail = above.slice(-4);
  if (tail.some((line) => /esc to interrupt/.test(line))) {
    return { says: "working", rule: "its screen says that Escape interrupts" };
  }
  const turn = above.slice(above.findLastIndex((line) => /^› /.test(line)) + 1);
  const last = tail.at(-1) ?? "";
  const error = turn.findLast((line) => /^■ /.test(line));
  const ended = error !== undefined || /^\s*Worked for /.test(last) || turn.length === above.length;
  if (!ended && turn.some((line) => /^[•◦] /.test(line))) {
    return { says: "working", rule: "no line says that its turn ended" };
  }
  return { says: "idle", rule: "its input line waits", ...deadEnd(error ?? "") };
}

function deadEnd(error: string): Pick<ScreenReading, "detail"> {
  if (/usage limit|quota|out of credits/i.test(error)) return { detail: "quota_reached" };
  if (/\b401\b|unauthorized|sign in again|log ?in/i.test(error)) return { detail: "login_expired" };
  return {};
}

// At the right edge of a draft that is higher than its box.
const scrolledMark = /\s{2,}[↑↓]$/;

// An empty line and the footer follow the draft.
function draftAt(lines: readonly string[], row: number, { cursor, columns }: ScreenView): string {
  const below = lines.slice(row);
  const gap = below.lastIndexOf("");
  const draft = below.slice(0, gap > 0 ? gap : below.length).map((line) => line.slice(2).replace(scrolledMark, ""));
  const text = unwrapped(draft, columns - 3).trimEnd();
  const untouched = cursor === undefined || (cursor.row === row && cursor.column <= 2);
  return text === "Ask Codex to do anything" && untouched ? "" : text;
}
