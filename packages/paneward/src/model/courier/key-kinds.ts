import { bytesMaySwitch, keyMaySwitch } from "./mode-keys.ts";

/** What a key can do in an agent's screen, whatever is open there. What is not known to be less can do everything. */
export interface KeyKind {
  /** It could say yes to a dialog. */
  readonly mayAnswer: boolean;
  /** It could submit the input line. */
  readonly maySubmit: boolean;
  /** It could switch what the agent does without asking. */
  readonly maySwitch: boolean;
}

/** The kind of a key, by its name, for an agent with these mode keys. */
export function keyKind(key: string, modeKeys: readonly string[] = []): KeyKind {
  const maySwitch = keyMaySwitch(key, modeKeys);
  if (harmless.test(key)) return { mayAnswer: false, maySubmit: false, maySwitch };
  return { mayAnswer: true, maySubmit: !writes.test(key), maySwitch };
}

/** What several keys can do together. */
export function keysKind(keys: readonly string[], modeKeys: readonly string[] = []): KeyKind {
  const kinds = keys.map((key) => keyKind(key, modeKeys));
  return {
    mayAnswer: kinds.some((one) => one.mayAnswer),
    maySubmit: kinds.some((one) => one.maySubmit),
    maySwitch: kinds.some((one) => one.maySwitch),
  };
}

// They deny, or show more. C-j and C-m are Enter, C-i is Tab; C-x begins what the next key ends, such as C-x C-s, which
// submits the line.
const harmless = /^(Escape|Up|Down|Left|Right|PageUp|PageDown|PgUp|PgDn|PPage|NPage|Home|End|C-[a-hk-lo-wyz])$/;

const writes = /^(.|Space|BSpace|DC|Delete|IC|Insert|KP[^E])$/su;

export interface Piece extends KeyKind {
  readonly bytes: string;
}

/** What a terminal sends, in pieces of one kind. An escape sequence that is not known is a piece of its own. */
export function piecesOf(bytes: string, modeKeys: readonly string[] = []): readonly Piece[] {
  return [...bytes.matchAll(pieces)].map(([piece, quiet, text]) => ({
    bytes: piece,
    mayAnswer: quiet === undefined,
    maySubmit: quiet === undefined && text === undefined,
    maySwitch: text === undefined && bytesMaySwitch(piece, modeKeys),
  }));
}

/** Whether the program may still wait for the rest of an escape sequence. */
export function endsInEscape(bytes: string): boolean {
  return bytes.endsWith("\u001b");
}

/**
 * Arrows and page keys, the focus, the wheel, and control characters as in `harmless`; a clicked button may be an answer.
 * Then text: within the brackets of a paste a return is a line break.
 */
const quiet = String.raw`(?:\u001b\[(?:1;\d)?[ABCDFH]|\u001b\[[IO]|\u001bO[ABCDFH]|\u001b\[[145678]~|\u001b\[<6[4-7];\d+;\d+[Mm]|\u001b$|[\u0001-\u0007\u000b\u000c\u000f-\u0017\u0019\u001a])+`;
const text = String.raw`\u001b\[200~(?:(?!\u001b)[\s\S])*\u001b\[201~|[\u0008\u0020-\u007f\u00a0-\u{10ffff}]+`;
const other = String.raw`\u001b\[[\u0030-\u003f]*[\u0020-\u002f]*[\u0040-\u007e]|\u001bO[\s\S]|\u001b[\s\S]|[\s\S]`;
const pieces = new RegExp(`(${quiet})|(${text})|${other}`, "gu");
