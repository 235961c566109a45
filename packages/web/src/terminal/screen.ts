import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { WebglAddon } from "@xterm/addon-webgl";
import { Terminal } from "@xterm/xterm";
import { ignoreQueries } from "./ignore-queries.ts";
import { linkAddress } from "./link-address.ts";

/** A terminal emulator with the size of the pane, drawn as large as there is room. */
export interface Screen {
  readonly terminal: Terminal;
  readonly search: SearchAddon;
  resize(columns: number, rows: number): void;
  /** On: readable letters, and a wide screen scrolls. Off: the whole screen is visible. */
  enlarge(on: boolean): void;
  close(): void;
}

const maxFontSize = 14;
const minFontSize = 6;

export function openScreen(place: HTMLElement): Screen {
  const terminal = new Terminal({
    allowProposedApi: true,
    scrollback: 10_000,
    fontSize: maxFontSize - 1,
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
  ignoreQueries(terminal);
  let enlarged = false;
  // tmux decides the pane's width; the font shrinks as needed, down to the smallest readable size.
  const adapt = () => {
    const room = fit.proposeDimensions();
    const size = terminal.options.fontSize ?? maxFontSize;
    if (!room || Number.isNaN(room.cols)) return;
    const fitting = Math.max(
      minFontSize,
      Math.min(maxFontSize, Math.floor((size * room.cols * 2) / terminal.cols) / 2),
    );
    const wanted = enlarged ? maxFontSize : fitting;
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
      // The newest output is at the bottom.
      requestAnimationFrame(() => place.scrollTo(0, on ? place.scrollHeight : 0));
    },
    close() {
      watch.disconnect();
      terminal.dispose();
    },
  };
}

// Software-rendered WebGL is slower than drawing with the DOM.
function hasGraphics(): boolean {
  const context = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  const facts = context?.getExtension("WEBGL_debug_renderer_info");
  const card = facts ? String(context?.getParameter(facts.UNMASKED_RENDERER_WEBGL)) : "";
  return card !== "" && !/swiftshader|llvmpipe|software/i.test(card);
}

// A program can put any link behind any text: show the address before opening it.
function openLink(given: string): void {
  const address = linkAddress(given);
  if (address === undefined) return;
  if (window.confirm(`Open this address?\n\n${address}`)) window.open(address, "_blank", "noopener,noreferrer");
}
