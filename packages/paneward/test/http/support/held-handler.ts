/** A handler whose answer waits until the test finishes it. */
export function heldHandler<Output>(output: Output) {
  const finished = Promise.withResolvers<Output>();
  let isCalled = false;
  return {
    handler: () => {
      isCalled = true;
      return finished.promise;
    },
    isCalled: () => isCalled,
    finish: () => finished.resolve(output),
  };
}
