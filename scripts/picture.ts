// Draws a terminal as a picture: `tmux capture-pane -p -e -N | node scripts/picture.ts > picture.svg`.
import { graphemesOf, widthOf } from "@paneward/sdk/text";
import { piecesOf } from "../packages/paneward/src/tui/draw/escapes.ts";

const cell = { width: 8.4, height: 17 };
const colours = [
  ..."#1e1e1e #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #d0d0d0".split(" "),
  ..."#7f848e #ff7b86 #b5e08f #ffd787 #7fc3ff #df95f5 #6fd3df #ffffff".split(" "),
];
const front = "#d0d0d0";
const back = "#1e1e1e";

process.stdin.setEncoding("utf8");
let text = "";
for await (const chunk of process.stdin) text += chunk;
const lines = text.replace(/\n$/, "").split("\n");
const drawn = lines.map(drawLine);
const columns = Math.max(...drawn.map(({ columns: width }) => width));
const size = { width: Math.ceil(columns * cell.width + 16), height: Math.ceil(lines.length * cell.height + 16) };
process.stdout.write(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}">\n` +
    `<title>${escaped(process.argv[2] ?? "A terminal")}</title>\n` +
    `<rect width="100%" height="100%" rx="6" fill="${back}"/>\n` +
    `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" xml:space="preserve">\n` +
    `${drawn.map(({ svg }) => svg).join("")}</g>\n</svg>\n`,
);

function drawLine(line: string, row: number): { readonly svg: string; readonly columns: number } {
  let at = 0;
  let svg = "";
  for (const piece of piecesOf(line, "16")) {
    const width = graphemesOf(piece.text).reduce((sum, one) => sum + one.width, 0);
    svg += drawPiece(piece.text, looksOf(piece.style), at, row, width);
    at += width;
  }
  return { svg: svg === "" ? "" : `${svg}\n`, columns: at };
}

function drawPiece(words: string, looks: Looks, at: number, row: number, width: number): string {
  const x = (8 + at * cell.width).toFixed(1);
  const y = 8 + row * cell.height;
  const length = (width * cell.width).toFixed(1);
  const behind =
    looks.back === back
      ? ""
      : `<rect x="${x}" y="${y}" width="${length}" height="${cell.height}" fill="${looks.back}"/>`;
  if (words.trim() === "") return behind;
  // A viewer may swallow spaces, so each word is put in its own place.
  const more = `${looks.isBold ? ' font-weight="bold"' : ""}${looks.isDim ? ' opacity="0.6"' : ""}`;
  const parts = [...words.matchAll(/\S+/g)].map(([word]) => word);
  const places = [...words.matchAll(/\S+/g)].map(({ index }) => widthOf(words.slice(0, index)));
  const drawnWords = parts.map((word, number) => {
    const place = (8 + (at + (places[number] ?? 0)) * cell.width).toFixed(1);
    const wide = (widthOf(word) * cell.width).toFixed(1);
    return `<text x="${place}" y="${y + 13}" textLength="${wide}" lengthAdjust="spacingAndGlyphs" fill="${looks.front}"${more}>${escaped(word)}</text>`;
  });
  return behind + drawnWords.join("");
}

interface Looks {
  readonly front: string;
  readonly back: string;
  readonly isBold: boolean;
  readonly isDim: boolean;
}

function looksOf(style: string): Looks {
  const codes = style.split(";").map(Number);
  const colourOf = (from: number, bright: number) => {
    const code = codes.find((one) => (one >= from && one < from + 8) || (one >= bright && one < bright + 8));
    return code === undefined ? undefined : colours[code >= bright ? code - bright + 8 : code - from];
  };
  const [ink, paper] = [colourOf(30, 90) ?? front, colourOf(40, 100) ?? back];
  const isReversed = codes.includes(7);
  return {
    front: isReversed ? paper : ink,
    back: isReversed ? ink : paper,
    isBold: codes.includes(1),
    isDim: codes.includes(2),
  };
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
