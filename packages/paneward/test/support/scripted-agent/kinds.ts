/** How the real programs handle keys, as recorded. */
export interface Manners {
  /** A dialog drops keys this long after it appeared. */
  readonly dialogGraceMs: number;
  /** How long after its hook the dialog is drawn: minimum, maximum. */
  readonly drawnAfterMs: readonly [number, number];
  /** Enter this soon after text counts as part of a paste and becomes a line break. */
  readonly pasteBurstMs: number;
  /** A paste of more lines than this is drawn as a mark. */
  readonly pasteLines: number;
  readonly pasteMark: (number: number, text: string) => string;
  /** A typed `!` turns the whole line into a command, wherever it is in a burst of text. */
  readonly bangIsShell?: boolean;
  /** Whether a tool needs permission. */
  readonly asksBeforeRunning: boolean;
  /** The options of a permission dialog; the first one allows. */
  readonly permission: (command: string) => readonly string[];
  readonly permissionTitle: string;
  /** The option that takes free text. */
  readonly ownWords: string;
}

export const agentKinds = ["claude", "codex", "gemini", "opencode", "pi"] as const;
export type AgentKind = (typeof agentKinds)[number];

/** The delay of the n-th dialog: it varies, as on a busy machine. */
export function drawnAfterMs({ drawnAfterMs: [min, max] }: Manners, n: number): number {
  return min + ((n * 171) % (max - min + 1));
}

const linesOf = (text: string) => text.split("\n").length;

export const manners: Readonly<Record<AgentKind, Manners>> = {
  claude: {
    dialogGraceMs: 600,
    drawnAfterMs: [100, 600],
    pasteBurstMs: 0,
    pasteLines: 3,
    pasteMark: (number, text) => `[Pasted text #${number} +${linesOf(text) - 1} lines]`,
    asksBeforeRunning: true,
    permission: () => ["Yes", "Yes, and always allow access to this folder", "Yes, and switch to auto mode", "No"],
    permissionTitle: "Do you want to proceed?",
    ownWords: "Type something.",
  },
  codex: {
    dialogGraceMs: 0,
    drawnAfterMs: [0, 0],
    pasteBurstMs: 50,
    pasteLines: 20,
    pasteMark: (_, text) => `[Pasted Content ${text.length} chars]`,
    asksBeforeRunning: true,
    permission: (command) => [
      "Yes, proceed (y)",
      `Yes, and don't ask again for commands that start with \`${command.split(" ")[0]}\` (p)`,
      "No, and tell Codex what to do differently (esc)",
    ],
    permissionTitle: "Would you like to run the following command?",
    ownWords: "None of the above",
  },
  gemini: {
    dialogGraceMs: 0,
    drawnAfterMs: [0, 0],
    pasteBurstMs: 30,
    pasteLines: 5,
    pasteMark: (_, text) => `[Pasted Text: ${linesOf(text)} lines]`,
    bangIsShell: true,
    asksBeforeRunning: true,
    permission: () => ["Allow once", "Allow for this session", "No, suggest changes (esc)"],
    permissionTitle: "Allow execution of [Shell]?",
    ownWords: "Enter a custom value",
  },
  opencode: {
    dialogGraceMs: 0,
    drawnAfterMs: [0, 0],
    pasteBurstMs: 0,
    pasteLines: 3,
    pasteMark: (_, text) => `[Pasted ~${linesOf(text)} lines]`,
    bangIsShell: true,
    asksBeforeRunning: true,
    permission: () => ["Allow once", "Allow always", "Reject"],
    permissionTitle: "Permission required",
    ownWords: "Type your own answer",
  },
  pi: {
    dialogGraceMs: 0,
    drawnAfterMs: [0, 0],
    pasteBurstMs: 0,
    pasteLines: 10,
    pasteMark: (number, text) => `[paste #${number} +${linesOf(text)} lines]`,
    asksBeforeRunning: false,
    permission: () => ["Yes", "No"],
    permissionTitle: "Run it?",
    ownWords: "Something else",
  },
};
