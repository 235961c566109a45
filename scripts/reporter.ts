// node:test reporter: the usual spec output, then one closing line that counts tests (not suites).
import { Readable } from "node:stream";
import { spec, type TestEvent } from "node:test/reporters";

export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const count = { passed: 0, failed: 0, skipped: 0 };
  async function* counted() {
    for await (const event of source) {
      const outcome = outcomeOf(event);
      if (outcome) count[outcome]++;
      yield event;
    }
  }
  for await (const chunk of Readable.from(counted()).compose(new spec())) yield String(chunk);
  yield `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`;
}

function outcomeOf(event: TestEvent): "passed" | "failed" | "skipped" | undefined {
  if (event.type !== "test:pass" && event.type !== "test:fail") return undefined;
  if (event.data.details?.type === "suite") return undefined;
  if (event.type === "test:fail") return "failed";
  return event.data.skip !== undefined || event.data.todo !== undefined ? "skipped" : "passed";
}
