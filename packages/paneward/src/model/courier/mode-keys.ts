/**
 * Whether a key, by its name, may switch what an agent does without asking: one of its mode keys, or a key that may reach
 * it as one. Terminals have several spellings for the same key, and `M-[` is the beginning of any escape sequence.
 */
export function keyMaySwitch(key: string, modeKeys: readonly string[]): boolean {
  return modeKeys.length > 0 && (modeKeys.includes(key) || !plainKey.test(key));
}

/** The same for what a terminal sends, without text: control characters and escape sequences. */
export function bytesMaySwitch(bytes: string, modeKeys: readonly string[]): boolean {
  if (modeKeys.length === 0) return false;
  return [...bytes.matchAll(sequences)].some(([sequence]) => {
    const key = keyOf(sequence);
    return key === undefined ? !plainSequence.test(sequence) : modeKeys.includes(key);
  });
}

// Keys that reach a program as themselves. Not BTab, which is a mode key wherever there are any; nor C-i, which is Tab; nor
// a Tab or a letter with Shift or with several modifiers.
const moves = "Up|Down|Left|Right|Home|End|PageUp|PageDown|PgUp|PgDn|PPage|NPage|Delete|DC|Insert|IC";
const plainKey = new RegExp(
  `^(?:.|Space|Enter|Escape|Tab|KP.+|F\\d+|C-[a-hj-z]|M-[^[O\\]]|[CM]-Space|(?:[CMS]-)?(?:BSpace|Enter|${moves}))$`,
  "su",
);

const sequences = /\u001b\[[\u0030-\u003f]*[\u0020-\u002f]*[\u0040-\u007e]|\u001bO[\s\S]|\u001b[\s\S]|[\s\S]/gu;

function keyOf(sequence: string): string | undefined {
  if (sequence === "\t") return "Tab";
  if (sequence === "\r") return "Enter";
  if (/^[\u0001-\u001a]$/.test(sequence)) return `C-${String.fromCharCode(sequence.charCodeAt(0) + 0x60)}`;
  return /^\u001b[^[O\]\u0000-\u001f\u007f-\u009f]$/u.test(sequence) ? `M-${sequence.slice(1)}` : undefined;
}

/**
 * What cannot be Tab or a letter with modifiers: moves, function and editing keys, mouse, focus and replies of a terminal.
 * `CSI Z`, `CSI … u`, `CSI 27;…~` and `SS3 I` can.
 */
const plainSequence =
  /^(?:[\u001b\u001c-\u001f]|\u001b[\r\u007f]|\u001bO[A-HM-Sj-y]|\u001b\[(?:[<?>]?[\d;:]*[A-IMO-SXcmnty]|\d+(?:;[\d:]+)?~))$/u;
