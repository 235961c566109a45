import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RequestsUnderWay } from "./requests-under-way.ts";

const request = (id: unknown) => ({ jsonrpc: "2.0", id, method: "tools/call", params: {} });
const answer = (id: unknown) => ({ jsonrpc: "2.0", id, result: {} });
const failure = (id: unknown) => ({ jsonrpc: "2.0", id, error: { code: -32_603, message: "no" } });
const cancel = (requestId: unknown) => ({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });

describe("of two requests under way with the same id the second is refused", () => {
  type Step = (requests: RequestsUnderWay) => unknown;
  const begin =
    (...messages: readonly unknown[]): Step =>
    (requests) =>
      requests.begin(messages);
  const sent =
    (message: unknown): Step =>
    (requests) =>
      requests.sent(message);
  const cancelled =
    (message: unknown): Step =>
    (requests) =>
      requests.cancelled([message]);
  const refused =
    (message: unknown): Step =>
    (requests) =>
      requests.refused([message]);
  // Steps, and the id that the last of them is refused for.
  const cases: Readonly<Record<string, readonly [steps: readonly Step[], id: unknown]>> = {
    "the first of its id": [[begin(request(7))], undefined],
    "while the other has no answer": [[begin(request(7)), begin(request(7))], 7],
    "an id that is a text": [[begin(request("a")), begin(request("a"))], "a"],
    "a number and the same digits as a text": [[begin(request(7)), begin(request("7"))], undefined],
    "after a result": [[begin(request(7)), sent(answer(7)), begin(request(7))], undefined],
    "after a failure": [[begin(request(7)), sent(failure(7)), begin(request(7))], undefined],
    "after an answer to another": [[begin(request(7)), sent(answer(8)), begin(request(7))], 7],
    "after a request of the server with that id": [[begin(request(7)), sent(request(7)), begin(request(7))], 7],
    "after it was cancelled": [[begin(request(7)), cancelled(cancel(7)), begin(request(7))], undefined],
    "after another was cancelled": [[begin(request(7)), cancelled(cancel(8)), begin(request(7))], 7],
    "after it was not taken": [[begin(request(7)), refused(request(7)), begin(request(7))], undefined],
    "twice in one batch": [[begin(request(1), request(7), request(7))], 7],
    "a batch that was refused takes nothing": [[begin(request(7), request(7)), begin(request(7))], undefined],
    "notifications and answers of the client": [[begin(cancel(7), answer(7)), begin(request(7))], undefined],
    "what is no message": [[begin(null, 7, request({}), request(null)), begin(request(7))], undefined],
  };
  for (const [name, [steps, id]] of Object.entries(cases)) {
    test(name, () => {
      const requests = new RequestsUnderWay();
      const [last] = steps.map((step) => step(requests)).reverse();
      assert.equal((last as { readonly id?: unknown } | undefined)?.id, id);
    });
  }

  test("the refusal says what to do", () => {
    const requests = new RequestsUnderWay();
    requests.begin([request(7)]);
    assert.deepEqual(requests.begin([request(7)])?.error, {
      code: -32_600,
      message: "another request with the id 7 is under way; give each request an id of its own",
    });
  });
});
