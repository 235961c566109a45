import { type Change, endsDropped, type Refusal } from "../model/courier/delivery-plan.ts";

/** What several agents make of a text. Each agent's description says which of it is true for that agent. */

/** `!ls`. */
export const shellCommand: Refusal = { when: /^\s*!/, would: "would run it as a shell command" };

/** `/compact`, `/model x`; not a path such as `/etc/hosts`. */
export const ownCommand: Refusal = {
  when: /^\s*\/[\p{L}\p{N}_?][\p{L}\p{N}_:.-]*(?:\s|$)/u,
  would: "would take it for one of its own commands",
};

/** What an agent that only the configuration names may do: nobody has looked. */
const plainHint =
  "say it in other words, or send it on purpose: `paneward send ID --command TEXT`; if its input line takes any text, set `plain_text = true` in its [agents.NAME]";
export const unknownCommands: readonly Refusal[] = [
  { when: shellCommand.when, would: "may run it as a shell command", hint: plainHint },
  { when: ownCommand.when, would: "may take it for one of its own commands", hint: plainHint },
];

export const quits: Refusal = { when: /^\s*(?:exit|quit|:q!?|:wq!?)\s*$/i, would: "would end itself" };

/** A text that ends like the name of a picture may be a path to one. */
export const picture: Refusal = {
  when: /^\s*(?=\S)[^\n]*\.(?:png|jpe?g|gif|webp)['"]?\s*$/i,
  would: "would attach the picture",
};

export const tabsToBlanks: Change = {
  what: "a tab arrives as four blanks",
  of: (text) => text.replaceAll("\t", "    "),
};

export const trimmedEnds: Change = {
  what: endsDropped,
  of: (text) => text.trim(),
};

/** The same by a program in Rust: to JavaScript a byte order mark is a blank. */
export const trimmedOfBlanks: Change = {
  what: endsDropped,
  of(text) {
    const isBlankAt = (at: number) => /[^\S\ufeff]/.test(text.charAt(at));
    let begin = 0;
    let end = text.length;
    while (begin < end && isBlankAt(begin)) begin++;
    while (end > begin && isBlankAt(end - 1)) end--;
    return text.slice(begin, end);
  },
};

/** Characters that are not drawn, and that some input lines drop. Joiners and selectors of emoji are drawn and kept. */
export const unseen = {
  when: /[\u00ad\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u,
  would: "would drop the characters in it that cannot be seen",
} satisfies Refusal;

/** Claude Code drops all that Unicode calls ignorable; joiners and selectors of emoji are kept. */
export const ignorable = {
  ...unseen,
  when: /(?![\u200d\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/u,
} satisfies Refusal;

/** A hand with a skin colour is wider in tmux than agents count: what they draw next to it or later lands in other rows. */
export const misdrawn = {
  when: /\p{Emoji_Modifier}/u,
  would: "would draw it so that its input line cannot be read",
} satisfies Refusal;

/**
 * Vowel signs of Devanagari, Bengali, Tamil and their neighbours: tmux draws them in a cell, Claude Code counts none. Its whole screen
 * is shifted from then on, and the next text finds no input line.
 */
export const shifting = {
  when: /(?=\p{Mc})[\u0900-\u0d7f]/u,
  would: misdrawn.would,
  hint: "give it in a file: `paneward send ID TEXT --attach FILE`, or send it on purpose: `paneward send ID --command TEXT`",
} satisfies Refusal;
