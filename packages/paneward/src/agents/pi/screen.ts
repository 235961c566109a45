import type { ScreenReading, ScreenView, ShownQuestion } from "../agent.ts";
import { identityOf } from "../screen/drawn.ts";
import { menuOptions } from "../screen/menu.ts";
import { regionOf, trimmed, unwrapped } from "../screen/wrapped.ts";

/**
 * pi 0.87's screen. The input line is between two rules, as is a dialog; the upper rule says when it works:
 *
 *   ── ⠇ Working ────────────
 *   half a thought
 *   ─────────────────────────
 *   ~/shop (main)
 */
export function readPiScreen(view: ScreenView): ScreenReading | undefined {
  const lines = trimmed(view.lines);
  const bottom = lines.findLastIndex((line) => /^─{10,}$/.test(line));
  if (bottom < 0 || lines.length - bottom > 6) return undefined;
  const top = lines.slice(0, bottom).findLastIndex((line) => /^─{10,}$|^── .* ─+$/.test(line));
  if (top < 0) return undefined;
  const inside = lines.slice(top + 1, bottom);
  const question = questionIn(inside, view.columns);
  if (question) return { says: "needs_input", rule: `a ${question.kind} dialog is open`, question };
  const draft = unwrapped(inside, view.columns - 1);
  if (/^── [⠀-⣿] /u.test(lines[top] ?? "")) {
    return { says: "working", rule: "the rule above its input line says so", draft };
  }
  return { says: "idle", rule: "its input line waits", draft, ...deadEnd(trimmed(lines.slice(0, top))) };
}

function deadEnd(above: readonly string[]): Pick<ScreenReading, "detail"> {
  const error = above.slice(above.lastIndexOf("") + 1).join(" ");
  if (!/^ ?Error: /.test(error)) return {};
  if (/\b401\b|\b403\b|invalid.*key|unauthori[sz]ed/i.test(error)) return { detail: "login_expired" };
  return /\b429\b|quota|usage limit/i.test(error) ? { detail: "quota_reached" } : {};
}

function questionIn(inside: readonly string[], columns: number): ShownQuestion | undefined {
  const foot = inside.findLastIndex((line) => /\benter (to )?(select|submit)/i.test(line));
  if (foot < 0 || !/cancel/i.test(inside.slice(foot).join(" "))) return undefined;
  const above = inside.slice(0, foot);
  const menu = menuOptions(above, /→/u);
  if (menu) {
    const text = wordsOf(above.slice(0, menu.first), columns);
    const identity = identityOf(above.slice(0, menu.last + 1), menu.first, columns);
    return { kind: "choice", text, options: menu.options, freeText: false, ...identity };
  }
  const line = above.findLastIndex((one) => /^>/.test(one));
  if (line < 0) return undefined;
  const region = regionOf(above.slice(0, line));
  return { kind: "text", text: wordsOf(above.slice(0, line), columns), options: [], freeText: true, region };
}

function wordsOf(lines: readonly string[], columns: number): string {
  const words = lines.map((line) => line.trim()).filter((line) => line !== "" && line !== ">");
  return unwrapped(words, columns - 3);
}
