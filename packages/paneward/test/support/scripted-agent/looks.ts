import { basename } from "node:path";
import type { Dialog } from "./dialog.ts";
import type { AgentKind } from "./kinds.ts";

/** Everything to draw. */
export interface Scene {
  readonly said: readonly string[];
  readonly draft: string;
  readonly busySince?: number;
  readonly dialog?: Dialog;
  readonly columns: number;
  readonly rows: number;
  readonly frame: number;
}

export interface Drawn {
  readonly lines: readonly string[];
  readonly title: string;
  /** The cursor position, counted from 1. */
  readonly cursor: { readonly row: number; readonly column: number };
}

/** The screen of one agent, modelled on the real one. */
export function draw(kind: AgentKind, scene: Scene): Drawn {
  const bottom = scene.dialog ? dialogs[kind](scene, scene.dialog) : boxes[kind](scene);
  const room = Math.max(0, scene.rows - bottom.length);
  const said = wrap(scene.said, scene.columns).slice(-room);
  const marked = [...said, ...bottom].slice(-scene.rows);
  const row = marked.findLastIndex((line) => line.includes(cursorMark));
  const column = (marked[row] ?? "").replace(styles, "").indexOf(cursorMark);
  const lines = marked.map((line) => line.replace(cursorMark, ""));
  return { lines, title: titles[kind](scene), cursor: { row: Math.max(1, row + 1), column: Math.max(1, column + 1) } };
}

/** Marks the cursor's place in a line. */
const cursorMark = "\u0001";
const styles = /\u001b\[\d*m/g;

const spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const turning = ({ frame }: Scene) => spinner[frame % spinner.length] ?? "";
const seconds = (scene: Scene) => Math.floor((Date.now() - (scene.busySince ?? Date.now())) / 1_000);
const thin = (scene: Scene) => "╌".repeat(scene.columns);
const rule = (scene: Scene) => "─".repeat(scene.columns);
const dim = (text: string) => `\u001b[2m${text}\u001b[22m`;

const boxes: Readonly<Record<AgentKind, (scene: Scene) => readonly string[]>> = {
  claude: (scene) => [
    "",
    ...(scene.busySince ? [`✻ Pondering… (esc to interrupt · ${seconds(scene)}s)`, ""] : []),
    rule(scene),
    ...inBox("❯ ", "  ", scene, ""),
    rule(scene),
    scene.busySince ? "  esc to interrupt" : "  ? for shortcuts",
  ],
  codex: (scene) => [
    "",
    ...(scene.busySince ? [`• Working (${seconds(scene)}s • esc to interrupt)`, ""] : []),
    ...inBox("› ", "  ", scene, "Ask Codex to do anything"),
    "",
    `  gpt-fake default · ${process.cwd()}`,
  ],
  gemini: (scene) => [
    "",
    ...(scene.busySince ? [` ${turning(scene)} Thinking... (esc to cancel, ${seconds(scene)}s)`] : []),
    "▄".repeat(scene.columns),
    ...inBox(" > ", "   ", scene, "  Type your message or @path/to/file"),
    "▀".repeat(scene.columns),
    ` ${process.cwd()}    no sandbox    gemini-fake`,
  ],
  opencode: (scene) => [
    "",
    "  ┃",
    ...inBox("  ┃  ", "  ┃  ", scene, 'Ask anything… "Fix a TODO in the codebase"'),
    "  ┃",
    "  ┃  Build · Scripted Scripted",
    `  ╹${"▀".repeat(Math.max(0, scene.columns - 5))}`,
    scene.busySince ? "   ■■⬝⬝⬝⬝⬝⬝  esc interrupt" : "   tab agents  ctrl+p commands",
  ],
  pi: (scene) => [
    "",
    scene.busySince ? `── ${turning(scene)} Working ${"─".repeat(Math.max(0, scene.columns - 13))}` : rule(scene),
    ...inBox("", "", scene, ""),
    rule(scene),
    basename(process.cwd()),
    "0.0%/200k (auto)                          gpt-fake",
  ],
};

const dialogs: Readonly<Record<AgentKind, (scene: Scene, dialog: Dialog) => readonly string[]>> = {
  claude: (scene, dialog) => [
    rule(scene),
    ...(dialog.kind === "permission"
      ? [" Bash command", " Runs it", thin(scene), ` ${dialog.detail}`, thin(scene), ` ${dialog.title}`]
      : []),
    ...(dialog.kind === "plan" ? ["   Exit plan mode?", "", `   ${dialog.detail}`, "", ` ${dialog.title}`] : []),
    ...(dialog.kind === "choice" || dialog.kind === "many"
      ? [" ☐ Color", "", dialog.reviewing ? "Ready to submit your answers?" : dialog.title, ""]
      : []),
    ...numbered(dialog, "❯ ", "  "),
    ...(dialog.own === undefined ? [] : [rule(scene), `  ${dialog.options.length + 1}. Chat about this`]),
    "",
    dialog.kind === "permission" || dialog.kind === "plan"
      ? " Esc to cancel · Tab to amend"
      : "Enter to select · ↑/↓ to navigate · Esc to cancel",
  ],
  codex: (_, dialog) => [
    ...(dialog.kind === "permission" ? ["", `• Running ${dialog.detail}`, ""] : []),
    "",
    `  ${dialog.title}`,
    "",
    ...(dialog.kind === "permission" ? ["  Reason: scripted", "", `  $ ${dialog.detail}`, "", ""] : []),
    ...numbered(dialog, "› ", "  "),
    "",
    "  Press enter to confirm or esc to cancel",
  ],
  gemini: (scene, dialog) => {
    const inside = Math.max(20, scene.columns - 4);
    const row = (text: string) => `│ ${text.slice(0, inside).padEnd(inside)} │`;
    return [
      `╭${"─".repeat(inside + 2)}╮`,
      ...(dialog.kind === "permission"
        ? [row(`? Shell  ${dialog.detail}`), row("")]
        : [row("Answer Questions"), row("")]),
      row(dialog.title),
      row(""),
      ...numbered(dialog, "● ", "  ").map(row),
      row(""),
      `╰${"─".repeat(inside + 2)}╯`,
    ];
  },
  opencode: (_, dialog) =>
    dialog.kind === "permission"
      ? [
          "",
          "  ┃",
          "  ┃  △ Permission required",
          "  ┃    # Shell command",
          "  ┃",
          `  ┃  $ ${dialog.detail}`,
          "  ┃",
          `  ┃   ${dialog.options.map((label, at) => (at === dialog.selected ? `\u001b[7m${label}\u001b[27m` : label)).join("   ")}    ⇆ select  enter confirm`,
          "  ┃",
        ]
      : [
          "",
          "  ┃",
          `  ┃  ${dialog.title}`,
          "  ┃",
          ...numbered(dialog, "", "").map((line) => `  ┃  ${line}`),
          "  ┃",
          "  ┃  ↑↓ select  enter submit  esc dismiss",
        ],
  pi: (scene, dialog) => [
    rule(scene),
    ` ${dialog.title}`,
    "",
    ...dialog.options.map((label, at) => `${at === dialog.selected ? " → " : "   "}${label}`),
    ...(dialog.entry === undefined ? [] : [` > ${dialog.entry}`]),
    "",
    " ↑↓ navigate  enter select  escape/ctrl+c cancel",
    rule(scene),
  ],
};

const titles: Readonly<Record<AgentKind, (scene: Scene) => string>> = {
  claude: () => "✳ Claude Code",
  codex: (scene) => stateTitle(scene, folder(), `${turning(scene)} ${folder()}`, `[ ! ] Action Required | ${folder()}`),
  gemini: (scene) =>
    stateTitle(scene, `◇  Ready (${folder()})`, `✦  Working… (${folder()})`, `✋  Action Required (${folder()})`),
  opencode: () => "OC | Scripted",
  pi: () => `π - ${folder()}`,
};

const folder = () => basename(process.cwd());

function stateTitle(scene: Scene, idle: string, busy: string, waiting: string): string {
  return scene.dialog ? waiting : scene.busySince ? busy : idle;
}

function numbered(dialog: Dialog, pointer: string, blank: string): readonly string[] {
  const labels = dialog.reviewing ? ["Submit answers", "Cancel"] : dialog.options;
  return labels.map((label, at) => {
    const box = dialog.kind === "many" && !dialog.reviewing ? (dialog.checked.has(at) ? "[✔] " : "[ ] ") : "";
    const shown = at === dialog.own && dialog.entry ? dialog.entry : label;
    return `${at === dialog.selected ? pointer : blank}${at + 1}. ${box}${shown}`;
  });
}

// A box of at most ten rows: the start of a long draft scrolls out of view.
function inBox(first: string, next: string, scene: Scene, placeholder: string): readonly string[] {
  if (scene.draft === "") return [`${first}${cursorMark}${dim(placeholder)}`];
  const rows = wrap(scene.draft.split("\n"), Math.max(10, scene.columns - first.length - 1)).slice(-10);
  const last = rows.length - 1;
  return rows.map((row, at) => `${at === 0 ? first : next}${row}${at === last ? cursorMark : ""}`);
}

function wrap(lines: readonly string[], width: number): readonly string[] {
  return lines.flatMap((line) => {
    const rows = line.match(new RegExp(`.{1,${width}}`, "gu"));
    return rows ?? [""];
  });
}
