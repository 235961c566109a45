import { graphemesOf, widthOf } from "@paneward/sdk/text";
import { piecesOf } from "../packages/paneward/src/tui/draw/escapes.ts";
import { type Palette, paintedBy } from "../packages/paneward/test/tui/support/palettes.ts";

/** Draws the output of `tmux capture-pane -p -e -N` as an SVG. */
export function terminalSvg(captured: string, title: string, palette: Palette): string {
  const lines = captured.replace(/\n$/, "").split("\n");
  const drawn = lines.map((line, row) => drawLine(line, row, palette));
  const columns = Math.max(...drawn.map(({ columns: width }) => width));
  const size = { width: Math.ceil(columns * cell.width + 16), height: Math.ceil(lines.length * cell.height + 16) };
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}">\n` +
    `<title>${escaped(title)}</title>\n` +
    `<rect width="100%" height="100%" rx="6" fill="${palette.back}"/>\n` +
    `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" xml:space="preserve">\n` +
    `${drawn.map(({ svg }) => svg).join("")}</g>\n</svg>\n`
  );
}

const cell = { width: 8.4, height: 17 };

function drawLine(line: string, row: number, palette: Palette): { readonly svg: string; readonly columns: number } {
  let at = 0;
  let svg = "";
  for (const piece of piecesOf(line, "16")) {
    const width = graphemesOf(piece.text).reduce((sum, one) => sum + one.width, 0);
    svg += drawPiece(piece.text, looksOf(piece.style, palette), at, row, width);
    at += width;
  }
  return { svg: svg === "" ? "" : `${svg}\n`, columns: at };
}

function drawPiece(words: string, looks: Looks, at: number, row: number, width: number): string {
  const x = (8 + at * cell.width).toFixed(1);
  const y = 8 + row * cell.height;
  const length = (width * cell.width).toFixed(1);
  const behind = looks.isPlain
    ? ""
    : `<rect x="${x}" y="${y}" width="${length}" height="${cell.height}" fill="${looks.back}"/>`;
  const under = looks.isUnderlined
    ? `<rect x="${x}" y="${y + cell.height - 2}" width="${length}" height="1" fill="${looks.front}"/>`
    : "";
  if (words.trim() === "") return behind + under;
  // Viewers may collapse spaces, so each word has its own position.
  const more = `${looks.isBold ? ' font-weight="bold"' : ""}${looks.isDim ? ' opacity="0.6"' : ""}`;
  const parts = [...words.matchAll(/\S+/g)].map(([word]) => word);
  const places = [...words.matchAll(/\S+/g)].map(({ index }) => widthOf(words.slice(0, index)));
  const drawnWords = parts.map((word, number) => {
    const place = (8 + (at + (places[number] ?? 0)) * cell.width).toFixed(1);
    const wide = (widthOf(word) * cell.width).toFixed(1);
    return `<text x="${place}" y="${y + 13}" textLength="${wide}" lengthAdjust="spacingAndGlyphs" fill="${looks.front}"${more}>${escaped(word)}</text>`;
  });
  return behind + under + drawnWords.join("");
}

interface Looks {
  readonly front: string;
  readonly back: string;
  readonly isPlain: boolean;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isUnderlined: boolean;
}

function looksOf(style: string, palette: Palette): Looks {
  const codes = style.split(";");
  const { ink, paper } = paintedBy(style, palette);
  return {
    front: ink,
    back: paper,
    isPlain: paper === palette.back,
    isBold: codes.includes("1"),
    isDim: codes.includes("2"),
    isUnderlined: codes.includes("4"),
  };
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
