import { useEffect, useState } from "preact/hooks";

/** An observable value. */
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

/** Redraws the component when the value, or the part picked from it, changes. */
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
