import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";

/** A test, or a group of tests, that ran and passed; the path of the file that holds it, from the root. */
export interface Ran {
  readonly file: string;
  readonly name: string;
}

/** What passed in a run; a test that is skipped or to do has not run. */
export function ranIn(root: string, events: Iterable<TestEvent>): readonly Ran[] {
  return [...events].flatMap((event) => {
    if (event.type !== "test:pass" || event.data.skip !== undefined || event.data.todo !== undefined) return [];
    return [{ file: relative(root, event.data.file ?? ""), name: event.data.name }];
  });
}

/** Those of these tests that no run passed. A test may be named by its own file or by one of the suite that imports it. */
export function notRun(
  named: readonly Ran[],
  runs: readonly { readonly file: string; readonly ran: readonly Ran[] }[],
): readonly Ran[] {
  const key = ({ file, name }: Ran) => JSON.stringify([file, name]);
  const all = new Set(runs.flatMap(({ file, ran }) => ran.flatMap((one) => [key(one), key({ file, name: one.name })])));
  return named.filter((one, at) => !all.has(key(one)) && named.findIndex((other) => key(other) === key(one)) === at);
}
