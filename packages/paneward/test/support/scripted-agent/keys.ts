/** A key or paste as a terminal sends it. */
export type Key =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "named"; readonly name: KeyName };

export type KeyName =
  | "Enter"
  | "Newline"
  | "Escape"
  | "Tab"
  | "BackTab"
  | "Up"
  | "Down"
  | "Left"
  | "Right"
  | "Backspace"
  | "ClearLine"
  | "Interrupt"
  | "EndOfInput";

const sequences: readonly (readonly [string, KeyName])[] = [
  ["\u001b[A", "Up"],
  ["\u001b[B", "Down"],
  ["\u001b[C", "Right"],
  ["\u001b[D", "Left"],
  ["\u001bOA", "Up"],
  ["\u001bOB", "Down"],
  ["\u001bOC", "Right"],
  ["\u001bOD", "Left"],
  ["\u001b[Z", "BackTab"],
  ["\r", "Enter"],
  ["\n", "Newline"],
  ["\t", "Tab"],
  ["\u007f", "Backspace"],
  ["\u0015", "ClearLine"],
  ["\u0003", "Interrupt"],
  ["\u0004", "EndOfInput"],
];
const pasteBegins = "\u001b[200~";
const pasteEnds = "\u001b[201~";

/** Splits stdin into keys. A lone Escape is only known when nothing follows it. */
export function keyReader(onKey: (key: Key) => void): (chunk: string) => void {
  let rest = "";
  let lone: NodeJS.Timeout | undefined;
  const read = () => {
    clearTimeout(lone);
    for (;;) {
      const taken = take(rest);
      if (!taken) break;
      rest = rest.slice(taken.length);
      if (taken.key) onKey(taken.key);
    }
    if (rest === "\u001b") {
      lone = setTimeout(() => {
        rest = "";
        onKey({ kind: "named", name: "Escape" });
      }, 25);
    }
  };
  return (chunk) => {
    rest += chunk;
    read();
  };
}

function take(text: string): { readonly length: number; readonly key?: Key } | undefined {
  if (text === "" || text === "\u001b") return undefined;
  if (text.startsWith(pasteBegins)) {
    const end = text.indexOf(pasteEnds);
    if (end < 0) return undefined;
    const pasted = text.slice(pasteBegins.length, end);
    // Line breaks in a paste arrive as carriage returns.
    return {
      length: end + pasteEnds.length,
      key: { kind: "paste", text: pasted.replace(/\r\n?/g, "\n") },
    };
  }
  const known = sequences.find(([sequence]) => text.startsWith(sequence));
  if (known) return { length: known[0].length, key: { kind: "named", name: known[1] } };
  if (text.startsWith("\u001b[")) {
    const [sequence] = /^\u001b\[[0-?]*[ -/]*[@-~]/.exec(text) ?? [];
    return sequence === undefined ? undefined : { length: sequence.length };
  }
  if (text.startsWith("\u001b")) return { length: 1, key: { kind: "named", name: "Escape" } };
  const [plain = ""] = /^[^\u0000-\u001f\u007f]+/.exec(text) ?? [];
  return plain === "" ? { length: 1 } : { length: plain.length, key: { kind: "text", text: plain } };
}
