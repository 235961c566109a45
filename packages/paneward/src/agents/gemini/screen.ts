import type { Reading, ScreenReading, ScreenView } from "../agent.ts";
import { linesAbove, trimmed, unwrapped } from "../screen/wrapped.ts";
import { readGeminiDialog } from "./dialog.ts";

/**
 * Gemini CLI 0.61's screen. The input line has a frame of half blocks; a dialog in a box replaces it:
 *
 *    ⠏ Thinking... (esc to cancel, 2s)
 *   ▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
 *    >   Type your message or @path/to/file
 *   ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀
 */
export function readGeminiScreen(view: ScreenView): ScreenReading | undefined {
  const lines = trimmed(view.lines);
  const box = inputBox(lines);
  if (!box) {
    const question = readGeminiDialog(lines, view.columns);
    if (!question) return undefined;
    const signedOut = /authenticate/i.test(question.text);
    const spent = /usage limit|quota/i.test(question.text);
    return {
      says: "needs_input",
      rule: `a ${question.kind} dialog is open`,
      question,
      ...(signedOut && { detail: "login_expired" as const }),
      ...(spent && { detail: "quota_reached" as const }),
    };
  }
  const inside = lines.slice(box.top + 1, box.bottom).map((line) => line.slice(3));
  const text = unwrapped(inside, view.columns - 6).trim();
  const draft = /^Type your (message|shell command)/.test(text) ? "" : text;
  // In shell mode a submitted text runs as a command. As a draft, the `!` keeps ours out.
  const isShell = (lines[box.top + 1] ?? "").startsWith(" !");
  return { ...atPrompt(lines, box.top), draft: isShell ? `!${draft}` : draft, inShell: isShell };
}

export function readGeminiTitle(title: string): Reading | undefined {
  if (/^✋/u.test(title)) return { says: "needs_input", rule: "its title asks for action" };
  if (/^(✦|⏲|⌛)/u.test(title)) return { says: "working", rule: "its title says that it works" };
  return /^◇/u.test(title) ? { says: "idle", rule: "its title says that it is ready" } : undefined;
}

// An echoed prompt has the same frame, but more follows it. What follows the input line may be there twice: Gemini draws its last
// lines higher at times, and leaves the old ones.
function inputBox(lines: readonly string[]): { readonly top: number; readonly bottom: number } | undefined {
  const top = lines.findLastIndex((line) => /^▄{10,}/.test(line));
  const bottom = lines.findIndex((line, at) => at > top && /^▀{10,}/.test(line));
  if (top < 0 || bottom < 0 || !/^ [>!*]/.test(lines[top + 1] ?? "")) return undefined;
  const below = lines.slice(bottom + 1).filter((line) => line !== "");
  return below.length > 6 || below.some((line) => /^ ?[╭│╰✦ℹ✕]/u.test(line)) ? undefined : { top, bottom };
}

function atPrompt(lines: readonly string[], top: number): Omit<ScreenReading, "draft"> {
  const above = linesAbove(lines, top, 30);
  if (above.slice(-6).some((line) => /esc to cancel/.test(line))) {
    return { says: "working", rule: "its screen says that Escape cancels" };
  }
  const turn = above.slice(above.findLastIndex((line) => /^▀{10,}/.test(line)) + 1);
  return { says: "idle", rule: "its input line waits", ...deadEnd(turn) };
}

function deadEnd(turn: readonly string[]): Pick<ScreenReading, "detail"> {
  const error = turn.filter((line) => /^✕/u.test(line)).join("\n");
  if (/\b(401|403)\b|UNAUTHENTICATED|API key (expired|not valid)/i.test(error)) return { detail: "login_expired" };
  return /\b429\b|RESOURCE_EXHAUSTED|quota/i.test(error) ? { detail: "quota_reached" } : {};
}
