import { PanewardError } from "@paneward/sdk";

/**
 * Refuses a glob whose matching may take seconds: a cloned repository can bring one, together with the file names for it.
 * Node's matcher tries every way to share a name among several stars; `+(a|aa)b` takes 1.5 s for 28 letters.
 */
export function requireSimpleGlob(pattern: string): void {
  const stars = pattern.split("/").map((part) => part.match(/\*+/g)?.length ?? 0);
  const folders = pattern.match(/\*\*/g)?.length ?? 0;
  const alternatives = pattern.match(/\{[^{}]*\}/g)?.reduce((product, one) => product * one.split(",").length, 1) ?? 1;
  const isSimple =
    pattern.length <= maxLength &&
    Math.max(...stars) <= maxStars &&
    folders <= maxStars &&
    alternatives <= maxAlternatives &&
    !/[+*?@!]\(|\{[^}]*(?:\{|\w\.\.\w)/.test(pattern);
  if (isSimple) return;
  throw new PanewardError("bad_input", `this pattern is too complicated: ${pattern.slice(0, 200)}`, {
    hint: `write several simple ones: at most ${maxStars} stars in a name, ${maxAlternatives} alternatives, and no (…)`,
  });
}

const maxLength = 500;
const maxStars = 3;
const maxAlternatives = 32;
