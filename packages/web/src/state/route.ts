import { createValue } from "./value.ts";

/** The current page: the part of the address after `#/`. */
export const route = createValue<readonly string[]>(parts());

window.addEventListener("hashchange", () => route.set(parts()));

export function go(...words: readonly string[]): void {
  location.hash = linkTo(...words).slice(1);
}

export function linkTo(...words: readonly string[]): string {
  return `#/${words.map(encodeURIComponent).join("/")}`;
}

function parts(): readonly string[] {
  return location.hash
    .replace(/^#\/?/, "")
    .split("/")
    .filter((word) => word !== "")
    .map((word) => {
      try {
        return decodeURIComponent(word);
      } catch {
        return word;
      }
    });
}
