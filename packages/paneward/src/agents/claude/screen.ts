import type { ScreenReading, ScreenView } from "../agent.ts";
import { linesAbove, trimmed, unwrapped } from "../screen/wrapped.ts";
import { readDialog } from "./dialog.ts";

/**
 * Claude Code 2.1's screen. Its input line is between two rules; a dialog replaces it:
 *
 *   ✶ Deliberating… (1s · ↓ 4 tokens)         or    ✻ Worked for 3s · done 1:00 AM · 1 shell still running
 *   ────────────────
 *   ❯ half a thought
 *   ────────────────
 *     ⏸ manual mode on · esc to interrupt
 */
export function readClaudeScreen(view: ScreenView): ScreenReading | undefined {
  const lines = trimmed(view.lines);
  const box = inputBox(lines);
  if (!box) {
    const question = readDialog(lines, view.columns);
    return question && { says: "needs_input", rule: `a ${question.kind} dialog is open`, question };
  }
  const draft = draftIn(lines.slice(box.top + 1, box.bottom), view.columns);
  // In shell mode a submitted text runs as a command. As a draft, the `!` keeps ours out.
  const isShell = (lines[box.top + 1] ?? "").startsWith("!");
  return { ...atPrompt(lines, box), draft: isShell ? `!${draft}` : draft, inShell: isShell };
}

interface Box {
  readonly top: number;
  readonly bottom: number;
}

const rule = /^─{10,}|^─+ .* ─+$/;

function inputBox(lines: readonly string[]): Box | undefined {
  const bottom = lines.findLastIndex((line) => rule.test(line));
  if (bottom < 0 || lines.length - bottom > 8) return undefined;
  const top = lines.slice(0, bottom).findLastIndex((line) => rule.test(line));
  return top >= 0 && /^[❯!#]/.test(lines[top + 1] ?? "") ? { top, bottom } : undefined;
}

// The glyph turns while it works, and stays in the line that says how long it took.
const spinner = /^[·✢✳✶✻✽*∗] .*(…|Retrying in)/;

function atPrompt(lines: readonly string[], { top, bottom }: Box): Omit<ScreenReading, "draft"> {
  const footer = lines.slice(bottom + 1).join(" ");
  const above = linesAbove(lines, top, 12);
  const ended = above.findLastIndex((line) => /^[·✢✳✶✻✽*∗] .* · done /.test(line));
  if (/esc to interrupt/.test(footer) || above.slice(ended + 1).some((line) => spinner.test(line))) {
    return { says: "working", rule: "its screen says that Escape interrupts, or its spinner turns" };
  }
  if (/· \d+ (shell|agent|task|monitor)s?\b/.test(footer) || /still running/.test(above[ended] ?? "")) {
    return { says: "working", detail: "background_work", rule: "its turn ended, background work continues" };
  }
  return { says: "idle", rule: "its input line waits", ...deadEnd(above) };
}

/** Why the last turn ended, when the agent cannot continue. */
function deadEnd(above: readonly string[]): Pick<ScreenReading, "detail"> {
  const turn = above.slice(above.findLastIndex((line) => /^❯/.test(line)) + 1);
  const notices = turn.filter((line) => /^\s*⎿|^● API Error/.test(line)).join("\n");
  if (/Invalid API key|Please run \/login|Not logged in|token (has )?expired|API Error: 401/i.test(notices)) {
    return { detail: "login_expired" };
  }
  if (/Credit balance (is )?too low|usage limit|hit your .*limit|limit reached|rejected \(429\)/i.test(notices)) {
    return { detail: "quota_reached" };
  }
  return {};
}

function draftIn(lines: readonly string[], columns: number): string {
  const text = unwrapped(
    lines.map((line) => line.slice(2)),
    columns - 4,
  );
  return /^Try "/.test(text) ? "" : text;
}
