/** What a test or a suite can hang its cleaning up on. */
export interface Cleanup {
  readonly after: (clean: () => void | Promise<void>) => void;
}

const stacks = new WeakMap<Cleanup, (() => void | Promise<void>)[]>();

/** Cleans up when the test is over, last things first. */
export function cleanUpAfter(t: Cleanup, clean: () => void | Promise<void>): void {
  const stack = stacks.get(t) ?? [];
  if (!stacks.has(t)) {
    stacks.set(t, stack);
    t.after(async () => {
      for (let next = stack.pop(); next; next = stack.pop()) await next();
    });
  }
  stack.push(clean);
}
