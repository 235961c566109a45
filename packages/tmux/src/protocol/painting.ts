/** What is needed, besides its lines, to redraw a pane elsewhere. */
export interface PictureFacts {
  readonly pane: string;
  readonly columns: number;
  readonly rows: number;
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  readonly region: { readonly top: number; readonly bottom: number };
  readonly modes: Readonly<Record<ModeName, boolean>>;
}

const modeNames = [
  "alternate",
  "appCursor",
  "origin",
  "wrap",
  "mouseAny",
  "mouseButton",
  "mouseStandard",
  "mouseSgr",
] as const;
type ModeName = (typeof modeNames)[number];

export const pictureFormat = [
  "#{pane_id}",
  "#{pane_width}",
  "#{pane_height}",
  "#{cursor_x}",
  "#{cursor_y}",
  "#{cursor_flag}",
  "#{scroll_region_upper}",
  "#{scroll_region_lower}",
  "#{alternate_on}",
  "#{keypad_cursor_flag}",
  "#{origin_flag}",
  "#{wrap_flag}",
  "#{mouse_all_flag}",
  "#{mouse_button_flag}",
  "#{mouse_standard_flag}",
  "#{mouse_sgr_flag}",
].join(" ");

export function parsePictureFacts(line: string): PictureFacts {
  const [pane = "", ...rest] = line.split(" ");
  const numbers = rest.map(Number);
  const at = (index: number) => numbers[index] ?? 0;
  return {
    pane,
    columns: at(0),
    rows: at(1),
    cursor: { x: at(2), y: at(3), visible: at(4) === 1 },
    region: { top: at(5), bottom: at(6) },
    modes: Object.fromEntries(modeNames.map((name, index) => [name, at(7 + index) === 1])) as PictureFacts["modes"],
  };
}

/** The bytes that make an empty terminal of the same size look like the pane. */
export function paintingOf(facts: PictureFacts, lines: readonly string[]): string {
  const { modes, rows, region, cursor } = facts;
  const screen = lines.slice(-rows);
  const above = modes.alternate ? [] : lines.slice(0, -rows);
  const wholeScreen = region.top === 0 && region.bottom >= rows - 1;
  return [
    "\u001bc",
    modes.alternate ? "\u001b[?1049h" : "",
    // A row of full width must not wrap and push the next one down.
    "\u001b[?7l",
    [...above, ...screen].join("\u001b[0m\r\n"),
    "\u001b[0m",
    modes.wrap ? "\u001b[?7h" : "",
    wholeScreen ? "" : `\u001b[${region.top + 1};${region.bottom + 1}r`,
    modes.appCursor ? "\u001b[?1h" : "",
    mouseOf(modes),
    `\u001b[${cursor.y + 1};${cursor.x + 1}H`,
    modes.origin ? "\u001b[?6h" : "",
    cursor.visible ? "" : "\u001b[?25l",
  ].join("");
}

function mouseOf(modes: PictureFacts["modes"]): string {
  const kind = modes.mouseAny ? 1003 : modes.mouseButton ? 1002 : modes.mouseStandard ? 1000 : undefined;
  return kind === undefined ? "" : `\u001b[?${kind}h${modes.mouseSgr ? "\u001b[?1006h" : ""}`;
}
