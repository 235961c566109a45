import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { WebglAddon } from "@xterm/addon-webgl";
import { Terminal } from "@xterm/xterm";
import { keepQuiet } from "./quiet.ts";

/** An emulator on the page that has the size of the pane, drawn as large as there is room for. */
export interface Screen {
  readonly terminal: Terminal;
  readonly search: SearchAddon;
  resize(columns: number, rows: number): void;
  /** Letters that can be read, and a wide screen is scrolled; otherwise all of it is seen. */
  enlarge(on: boolean): void;
  close(): void;
}

const largest = 14;
const smallest = 6;

export function openScreen(place: HTMLElement): Screen {
  const terminal = new Terminal({
    allowProposedApi: true,
    scrollback: 10_000,
    fontSize: largest - 1,
    fontFamily: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
    theme: { background: "#0b0e13", foreground: "#d6dde6", cursor: "#8ab4ff", selectionBackground: "#33507a" },
    disableStdin: true,
    linkHandler: { activate: (_event, address) => openLink(address), allowNonHttpProtocols: false },
    minimumContrastRatio: 1,
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.open(place);
  terminal.textarea?.setAttribute("aria-label", "terminal");
  if (hasGraphics()) terminal.loadAddon(new WebglAddon());
  keepQuiet(terminal);
  let enlarged = false;
  // The pane's width is tmux's business: the letters become as small as it takes, down to where nobody can read them.
  const adapt = () => {
    const room = fit.proposeDimensions();
    const size = terminal.options.fontSize ?? largest;
    if (!room || Number.isNaN(room.cols)) return;
    const fitting = Math.max(smallest, Math.min(largest, Math.floor((size * room.cols * 2) / terminal.cols) / 2));
    const wanted = enlarged ? largest : fitting;
    if (wanted !== size) terminal.options.fontSize = wanted;
  };
  const watch = new ResizeObserver(adapt);
  watch.observe(place);
  return {
    terminal,
    search,
    resize(columns, rows) {
      terminal.resize(Math.max(2, columns), Math.max(2, rows));
      adapt();
    },
    enlarge(on) {
      enlarged = on;
      adapt();
      // What was printed last stands at the bottom.
      requestAnimationFrame(() => place.scrollTo(0, on ? place.scrollHeight : 0));
    },
    close() {
      watch.disconnect();
      terminal.dispose();
    },
  };
}

// Drawing by a graphics card that is played by the processor is slower than the page's own.
function hasGraphics(): boolean {
  const context = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  const facts = context?.getExtension("WEBGL_debug_renderer_info");
  const card = facts ? String(context?.getParameter(facts.UNMASKED_RENDERER_WEBGL)) : "";
  return card !== "" && !/swiftshader|llvmpipe|software/i.test(card);
}

// A program may write any address behind any words: the person sees it before it is opened.
function openLink(address: string): void {
  if (!/^https?:\/\//i.test(address)) return;
  if (window.confirm(`Open this address?\n\n${address}`)) window.open(address, "_blank", "noopener,noreferrer");
}
