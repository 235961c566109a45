/** A part of a page that was on the screen, in parts of its height: 0 is its top, 1 its end. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** The parts shown so far, from top to end, those that touch as one. `gap` is what counts as touching. */
export function withPart(parts: readonly Part[], part: Part, gap: number): readonly Part[] {
  const merged: Part[] = [];
  for (const next of [...parts, part].toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last && next.from <= last.to + gap) merged.splice(-1, 1, { from: last.from, to: Math.max(last.to, next.to) });
    else merged.push(next);
  }
  return merged;
}

/** Whether nothing of the page was left out. */
export function isAllShown(parts: readonly Part[], gap: number): boolean {
  const [first, ...others] = parts;
  return first !== undefined && others.length === 0 && first.from <= gap && first.to >= 1 - gap;
}
