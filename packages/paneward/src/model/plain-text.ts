/**
 * Terminal output as a person would read it: escape sequences out, carriage returns and backspaces applied, so that a
 * progress bar is its last state.
 */
export function plainText(raw: string): string {
  const lines: string[] = [];
  let line: string[] = [];
  let column = 0;
  for (const char of withoutEscapes(raw)) {
    if (char === "\n") {
      lines.push(line.join("").trimEnd());
      line = [];
      column = 0;
    } else if (char === "\r") column = 0;
    else if (char === "\b") column = Math.max(0, column - 1);
    else if (char === "\t" || char >= " ") {
      while (line.length < column) line.push(" ");
      line[column] = char;
      column += 1;
    }
  }
  return [...lines, line.join("")].join("\n");
}

// OSC and other strings end with BEL or ST; CSI with a letter; the rest are two or three characters long.
const escapes =
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[PX^_][^\u001b]*(?:\u001b\\)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]+[0-~]?|\u001b[0-~]?/g;

function withoutEscapes(raw: string): string {
  return raw.replace(escapes, "");
}

/** Where the last whole part of the bytes ends: before a character or an escape sequence that is cut off. */
export function wholeLength(bytes: Uint8Array): number {
  const end = wholeCharacters(bytes);
  const from = Math.max(0, end - longestSequence);
  for (let at = end - 1; at >= from; at--) {
    if (bytes[at] !== 27) continue;
    return isFinished(bytes.subarray(at, end)) ? end : at;
  }
  return end;
}

const longestSequence = 256;

function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function isFinished(sequence: Uint8Array): boolean {
  const text = String.fromCharCode(...sequence);
  if (text.startsWith("\u001b[")) return /^\u001b\[[0-?]*[ -/]*[@-~]/.test(text);
  if (text.startsWith("\u001b]")) return /[\u0007]|\u001b\\/.test(text.slice(1));
  return text.length > 1;
}
