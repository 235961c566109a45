import { useEffect, useState } from "preact/hooks";

/** Something that changes, and tells whoever looks at it. */
export interface Value<Kept> {
  get(): Kept;
  set(next: Kept): void;
  onChange(listener: () => void): () => void;
}

export function createValue<Kept>(first: Kept): Value<Kept> {
  const listeners = new Set<() => void>();
  let kept = first;
  return {
    get: () => kept,
    set(next) {
      if (Object.is(next, kept)) return;
      kept = next;
      for (const listener of [...listeners]) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Draws the component again when the value, or what is picked from it, has changed. */
export function useValue<Kept, Picked = Kept>(value: Value<Kept>, pick?: (kept: Kept) => Picked): Picked {
  const picked = () => (pick ? pick(value.get()) : (value.get() as unknown as Picked));
  const [shown, show] = useState(picked);
  useEffect(() => {
    const look = () => show(picked);
    look();
    return value.onChange(look);
  }, [value, pick]);
  return shown;
}
