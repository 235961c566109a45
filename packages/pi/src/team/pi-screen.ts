/**
 * pi's screen. Its editor is between two rules; while pi works, the upper one has a spinner:
 *
 *     ── ⠹ Working ───────────
 *     a draft, if there is one
 *     ────────────────────────
 */
export interface PiScreen {
  readonly ready: boolean;
  readonly working: boolean;
  /** The text in the editor. */
  readonly draft: string;
}

export function readPiScreen(lines: readonly string[]): PiScreen {
  const below = lines.findLastIndex((line) => /^─{10,}$/.test(line.trimEnd()));
  const above = lines.slice(0, Math.max(below, 0)).findLastIndex((line) => /^──.*─{5,}$/.test(line.trimEnd()));
  if (below < 0 || above < 0) return { ready: false, working: false, draft: "" };
  const working = /Working/.test(lines[above] ?? "");
  const draft = lines
    .slice(above + 1, below)
    .join("\n")
    .trim();
  return { ready: !working, working, draft };
}

/** Whether the editor contains our text. A long paste is shown as a mark. */
export function holdsDraft(draft: string, text: string): boolean {
  if (/^\[paste #\d+/.test(draft)) return true;
  const shown = draft.replace(/\s+/g, "");
  return shown !== "" && text.replace(/\s+/g, "").startsWith(shown.slice(0, 40));
}
