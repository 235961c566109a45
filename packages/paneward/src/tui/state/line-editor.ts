import { graphemesOf } from "@paneward/sdk/text";

/** A line being typed: the text before and after the cursor. */
export interface Line {
  readonly before: string;
  readonly after: string;
}

export const emptyLine: Line = { before: "", after: "" };

export function textOf({ before, after }: Line): string {
  return before + after;
}

/** A line with the cursor at its end. */
export function lineOf(text: string): Line {
  return { before: text, after: "" };
}

/** The line after a key; undefined if the key does not edit. */
export function editLine(line: Line, key: string): Line | undefined {
  const edit = edits[key];
  if (edit) return edit(line);
  const typed = key === "Space" ? " " : key;
  return graphemesOf(typed).length === 1 ? inserted(line, typed) : undefined;
}

/** Inserts text; line breaks become spaces, because there is only one line. */
export function inserted({ before, after }: Line, text: string): Line {
  return { before: before + text.replace(/[\u0000-\u001f\u007f]+/g, " "), after };
}

const edits: Readonly<Record<string, (line: Line) => Line>> = {
  Backspace: ({ before, after }) => ({ before: withoutLast(before), after }),
  Delete: ({ before, after }) => ({ before, after: withoutFirst(after) }),
  Left: ({ before, after }) => ({
    before: withoutLast(before),
    after: before.slice(withoutLast(before).length) + after,
  }),
  Right: ({ before, after }) => {
    const rest = withoutFirst(after);
    return { before: before + after.slice(0, after.length - rest.length), after: rest };
  },
  Home: (line) => ({ before: "", after: textOf(line) }),
  End: (line) => lineOf(textOf(line)),
  "C-a": (line) => ({ before: "", after: textOf(line) }),
  "C-e": (line) => lineOf(textOf(line)),
  "C-u": ({ after }) => ({ before: "", after }),
  "C-k": ({ before }) => ({ before, after: "" }),
  "C-w": ({ before, after }) => ({ before: before.replace(/\S+\s*$/, ""), after }),
};

function withoutLast(text: string): string {
  return graphemesOf(text)
    .slice(0, -1)
    .map(({ text: one }) => one)
    .join("");
}

function withoutFirst(text: string): string {
  return graphemesOf(text)
    .slice(1)
    .map(({ text: one }) => one)
    .join("");
}
