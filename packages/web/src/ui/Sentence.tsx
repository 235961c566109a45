import type { ComponentChildren } from "preact";

/** An error's message or hint as a sentence: errors begin with a small letter and mark commands with backticks. */
export function Sentence({ text }: { readonly text: string }) {
  return <>{capital(text).split("`").map(codeEverySecond)}</>;
}

// An id or a path, such as `t3`, stays as it is.
function capital(text: string): string {
  return text.replace(/^[a-z](?=[a-z]*\s)/, (letter) => letter.toUpperCase());
}

function codeEverySecond(part: string, at: number): ComponentChildren {
  return at % 2 === 1 ? <code key={at}>{part}</code> : part;
}
