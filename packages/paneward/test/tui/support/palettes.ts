/** A terminal's colours: foreground, background and the sixteen named ones. */
export interface Palette {
  readonly name: string;
  readonly front: string;
  readonly back: string;
  /** Black, red, green, yellow, blue, magenta, cyan, white; then the bright ones. */
  readonly named: readonly string[];
}

const xterm =
  "#000000 #cd0000 #00cd00 #cdcd00 #0000ee #cd00cd #00cdcd #e5e5e5 #7f7f7f #ff0000 #00ff00 #ffff00 #5c5cff #ff00ff #00ffff #ffffff";
const codeLight =
  "#000000 #cd3131 #00bc00 #949800 #0451a5 #bc05bc #0598bc #555555 #666666 #cd3131 #14ce14 #b5ba00 #0451a5 #bc05bc #0598bc #a5a5a5";
const codeDark =
  "#000000 #cd3131 #0dbc79 #e5e510 #2472c8 #bc3fbc #11a8cd #e5e5e5 #666666 #f14c4c #23d18b #f5f543 #3b8eea #d670d6 #29b8db #e5e5e5";
const solarized =
  "#073642 #dc322f #859900 #b58900 #268bd2 #d33682 #2aa198 #eee8d5 #002b36 #cb4b16 #586e75 #657b83 #839496 #6c71c4 #93a1a1 #fdf6e3";
const gnome =
  "#171421 #c01c28 #26a269 #a2734c #12488b #a347ba #2aa1b3 #d0cfcc #5e5c64 #f66151 #33d17a #e9ad0c #2a7bde #c061cb #33c7de #ffffff";
const macos =
  "#000000 #c23621 #25bc24 #adad27 #492ee1 #d338d3 #33bbc8 #cbcccd #818383 #fc391f #31e722 #eaec23 #5833ff #f935f8 #14f0f0 #e9ebeb";

/** Common terminals, light and dark. */
export const palettes: readonly Palette[] = [
  palette("xterm, light", "#000000", "#ffffff", xterm),
  palette("xterm, dark", "#ffffff", "#000000", xterm),
  palette("VS Code, light", "#333333", "#ffffff", codeLight),
  palette("VS Code, dark", "#cccccc", "#1e1e1e", codeDark),
  palette("Solarized, light", "#657b83", "#fdf6e3", solarized),
  palette("Solarized, dark", "#839496", "#002b36", solarized),
  palette("GNOME, light", "#171421", "#ffffff", gnome),
  palette("GNOME, dark", "#ffffff", "#171421", gnome),
  palette("macOS Terminal, Basic", "#000000", "#ffffff", macos),
  palette("macOS Terminal, Pro", "#f2f2f2", "#000000", macos),
];

function palette(name: string, front: string, back: string, named: string): Palette {
  return { name, front, back, named: named.split(" ") };
}

/** Foreground and background of a style. `brightens`: many terminals draw bold text in the bright colour. */
export function paintedBy(
  style: string,
  { front, back, named }: Palette,
  brightens = false,
): { readonly ink: string; readonly paper: string } {
  const codes = style === "" ? [] : style.split(";").map(Number);
  const isBold = codes.includes(1);
  const colourOf = (from: number, bright: number) => {
    const code = codes.find((one) => (one >= from && one < from + 8) || (one >= bright && one < bright + 8));
    if (code === undefined) return undefined;
    return code >= bright
      ? named[code - bright + 8]
      : named[code - from + (from === 30 && isBold && brightens ? 8 : 0)];
  };
  const ink = colourOf(30, 90) ?? front;
  const paper = colourOf(40, 100) ?? back;
  return codes.includes(7) ? { ink: paper, paper: ink } : { ink, paper };
}

/** The WCAG 2 contrast: from 1, the same colour, to 21, black on white. */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
