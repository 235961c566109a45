/** A key press, a paste or a mouse event. */
export type Input =
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "paste"; readonly text: string }
  | {
      readonly kind: "mouse";
      readonly does: "press" | "wheel-up" | "wheel-down";
      readonly x: number;
      readonly y: number;
    };

export interface ReadInput {
  readonly inputs: readonly Input[];
  /** An incomplete sequence, or a lone Escape. */
  readonly rest: string;
}

/** Parses terminal input. `isAll`: nothing more follows, so a trailing Escape is the key. */
export function readInput(text: string, isAll = false): ReadInput {
  const inputs: Input[] = [];
  let rest = text;
  while (rest !== "") {
    const [input, used] = next(rest, isAll);
    if (used === 0) break;
    if (input) inputs.push(input);
    rest = rest.slice(used);
  }
  return { inputs, rest };
}

type Next = readonly [input: Input | undefined, used: number];

function next(text: string, isAll: boolean): Next {
  if (!text.startsWith("\u001b")) return plainKey(text);
  const pasted = /^\u001b\[200~([\s\S]*?)\u001b\[201~/.exec(text);
  if (pasted) return [{ kind: "paste", text: pasted[1] ?? "" }, pasted[0].length];
  if (text.startsWith("\u001b[200~")) return isAll ? [undefined, 6] : [undefined, 0];
  const mouse = /^\u001b\[<(\d+);(\d+);(\d+)([Mm])/.exec(text);
  if (mouse) return [mouseOf(mouse), mouse[0].length];
  const sequence = /^\u001b(?:\[([0-9;<]*)([@-~])|O([@-~]))/.exec(text);
  if (sequence) return [keyOf(sequence), sequence[0].length];
  if (!isAll && /^\u001b(?:\[[0-9;<]*|O)?$/.test(text)) return [undefined, 0];
  const [letter] = text.slice(1);
  if (letter === undefined || letter === "\u001b") return [key("Escape"), 1];
  return [key(`M-${letter}`), 1 + letter.length];
}

function plainKey(text: string): Next {
  const [letter = ""] = text;
  return [
    key(named[letter] ?? (letter < " " ? `C-${String.fromCharCode(letter.charCodeAt(0) + 96)}` : letter)),
    letter.length,
  ];
}

const named: Readonly<Record<string, string>> = {
  "\r": "Enter",
  "\t": "Tab",
  "\u007f": "Backspace",
  "\b": "Backspace",
  "\u0000": "C-Space",
  " ": "Space",
};

const finals: Readonly<Record<string, string>> = {
  A: "Up",
  B: "Down",
  C: "Right",
  D: "Left",
  H: "Home",
  F: "End",
  Z: "S-Tab",
  M: "Enter",
};

const numbers: Readonly<Record<string, string>> = {
  "1": "Home",
  "3": "Delete",
  "4": "End",
  "5": "PageUp",
  "6": "PageDown",
  "7": "Home",
  "8": "End",
};

function keyOf([, numbered = "", final, afterO]: RegExpExecArray): Input | undefined {
  const name = final === "~" ? numbers[numbered.split(";")[0] ?? ""] : finals[final ?? afterO ?? ""];
  return name === undefined ? undefined : key(name);
}

function mouseOf([, button = "", x = "", y = "", ending]: RegExpExecArray): Input | undefined {
  const does = ({ "0": "press", "64": "wheel-up", "65": "wheel-down" } as const)[button];
  if (does === undefined || ending === "m") return undefined;
  return { kind: "mouse", does, x: Number(x) - 1, y: Number(y) - 1 };
}

function key(name: string): Input {
  return { kind: "key", key: name };
}
