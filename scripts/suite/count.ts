import type { TestEvent } from "node:test/reporters";

/** How many tests ended in which way; suites are not tests. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function countOf(events: Iterable<TestEvent>): Count {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const event of events) {
    const outcome = outcomeOf(event);
    if (outcome) count[outcome]++;
  }
  return count;
}

export function sum(counts: Iterable<Count>): Count {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const count of counts) for (const outcome of outcomes) total[outcome] += count[outcome];
  return total;
}

export function closingLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

const outcomes = ["passed", "failed", "skipped"] as const;

function outcomeOf(event: TestEvent): keyof Count | undefined {
  if (event.type !== "test:pass" && event.type !== "test:fail") return undefined;
  if (event.data.details?.type === "suite" && !failsItself(event)) return undefined;
  if (event.type === "test:fail") return "failed";
  return event.data.skip !== undefined || event.data.todo !== undefined ? "skipped" : "passed";
}

// A suite fails with its tests, which are counted already; or in a hook of its own, and then nothing else says so.
function failsItself(event: TestEvent): boolean {
  if (event.type !== "test:fail") return false;
  const { error } = event.data.details as { readonly error: { readonly failureType?: string } };
  return error.failureType !== "subtestsFailed";
}
