/**
 * pi's screen. Its editor is between two rules; while pi works, the upper one has a spinner:
 *
 *     ── ⠹ Working ───────────
 *     a draft, if there is one
 *     ────────────────────────
 *
 * A dialog is between two rules as well, with its keys in its last line.
 */
export interface PiScreen {
  readonly ready: boolean;
  readonly working: boolean;
  /** The first lines of an open dialog. */
  readonly asks?: string;
  /** The text in the editor. */
  readonly draft: string;
}

export function readPiScreen(lines: readonly string[]): PiScreen {
  const below = lines.findLastIndex((line) => /^─{10,}$/.test(line.trimEnd()));
  const above = lines.slice(0, Math.max(below, 0)).findLastIndex((line) => /^──.*─{5,}$/.test(line.trimEnd()));
  if (below < 0 || above < 0) return { ready: false, working: false, draft: "" };
  const inside = lines.slice(above + 1, below);
  const asks = dialogIn(inside);
  if (asks !== undefined) return { ready: false, working: false, draft: "", asks };
  const working = /Working/.test(lines[above] ?? "");
  const draft = inside.join("\n").trim();
  return { ready: !working, working, draft };
}

function dialogIn(inside: readonly string[]): string | undefined {
  const keys = inside.findLastIndex((line) => /\benter (to )?(select|submit)/i.test(line));
  if (keys < 0 || !/cancel/i.test(inside.slice(keys).join(" "))) return undefined;
  const words = inside.slice(0, keys).map((line) => line.trim());
  return words
    .filter((line) => line !== "")
    .join("\n")
    .slice(0, maxDialog);
}

const maxDialog = 1_000;

/** Whether the editor contains our text. A long paste is shown as a mark. */
export function holdsDraft(draft: string, text: string): boolean {
  if (/^\[paste #\d+/.test(draft)) return true;
  const shown = draft.replace(/\s+/g, "");
  return shown !== "" && text.replace(/\s+/g, "").startsWith(shown.slice(0, 40));
}
