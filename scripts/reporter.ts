// node:test reporter: the usual spec output, then one last line with the number of tests, without suites.
import { Readable } from "node:stream";
import { spec, type TestEvent } from "node:test/reporters";
import { closingLine, countOf } from "./suite/count.ts";

export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const events: TestEvent[] = [];
  async function* kept() {
    for await (const event of source) {
      events.push(event);
      yield event;
    }
  }
  for await (const chunk of Readable.from(kept()).compose(new spec())) yield String(chunk);
  yield `${closingLine(countOf(events))}\n`;
}
