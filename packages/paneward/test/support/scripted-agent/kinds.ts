/** How the real programs take keys, as recorded. */
export interface Manners {
  /** A dialog drops keys this long after it appeared. */
  readonly dialogGraceMs: number;
  /** Its hook comes so long before its dialog: at least, at most. */
  readonly drawnAfterMs: readonly [number, number];
  /** Enter so soon after text is taken for a part of a paste: it becomes a line break. */
  readonly pasteBurstMs: number;
  /** A paste of more lines than this is drawn as a mark. */
  readonly pasteLines: number;
  readonly pasteMark: (number: number, text: string) => string;
  /** A typed `!` makes a command of the whole line, wherever it stands in a burst. */
  readonly bangIsShell?: boolean;
  /** Whether a tool needs permission. */
  readonly asksBeforeRunning: boolean;
  /** The options of a permission dialog; the first lets it run. */
  readonly permission: (command: string) => readonly string[];
  readonly permissionTitle: string;
  /** The option that takes words of one's own. */
  readonly ownWords: string;
}

export const agentKinds = ["claude", "codex", "gemini", "opencode", "pi"] as const;
export type AgentKind = (typeof agentKinds)[number];

/** How long the n-th dialog takes: each another while, as on a machine that is busy with other things. */
export function drawnAfterMs({ drawnAfterMs: [least, most] }: Manners, n: number): number {
  return least + ((n * 171) % (most - least + 1));
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
