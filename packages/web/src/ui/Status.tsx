import type { Status as Word } from "@paneward/sdk";

/** A status as a word and a colour, never a colour alone. */
export function Status({ status, needsMe = false }: { readonly status: Word; readonly needsMe?: boolean }) {
  const shown = needsMe ? "needs you" : status.toLowerCase();
  return (
    <span class={`status ${needsMe ? "needs" : status.toLowerCase()}`}>
      <i aria-hidden="true" />
      {shown}
    </span>
  );
}
