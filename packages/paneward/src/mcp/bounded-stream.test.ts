import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { boundedStream } from "./bounded-stream.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function opened(maxWaiting: number) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const source = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel() {
      isCancelled = true;
    },
  });
  let isCut = false;
  const cut = () => {
    isCut = true;
  };
  const stream = boundedStream(source, { maxWaiting, cut });
  assert.ok(controller);
  return { controller, stream, isCancelled: () => isCancelled, isCut: () => isCut };
}

test("a client that reads gets everything, however much", async () => {
  const { controller, stream } = opened(100);
  const reader = stream.getReader();
  for (let count = 0; count < 1_000; count++) {
    controller.enqueue(bytes(`${count}`.padStart(50)));
    const { value } = await reader.read();
    assert.equal(Number(new TextDecoder().decode(value)), count);
  }
  controller.close();
  assert.equal((await reader.read()).done, true);
});

test("the connection of a client that does not read is cut at the bound, and its source cancelled", async () => {
  const { controller, stream, isCancelled, isCut } = opened(100);
  controller.enqueue(bytes("x".repeat(60)));
  controller.enqueue(bytes("x".repeat(40)));
  await nextTurn();
  assert.deepEqual([isCancelled(), isCut()], [false, false], "the bound itself is allowed");
  controller.enqueue(bytes("x"));
  await nextTurn();
  assert.deepEqual([isCancelled(), isCut()], [true, true]);
  assert.equal((await new Response(stream).text()).length, 100, "what waited is all that there was");
});

test("what the client cancels is cancelled at its source, and an error of the source reaches the client", async () => {
  const left = opened(100);
  await left.stream.cancel();
  assert.deepEqual([left.isCancelled(), left.isCut()], [true, false]);
  const broken = opened(100);
  broken.controller.error(new Error("it broke"));
  await assert.rejects(broken.stream.getReader().read(), /it broke/);
});
