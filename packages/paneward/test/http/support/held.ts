/** A handler whose answer waits until the test finishes it. */
export function held<Output>(output: Output) {
  const finished = Promise.withResolvers<Output>();
  let isAsked = false;
  return {
    handler: () => {
      isAsked = true;
      return finished.promise;
    },
    isAsked: () => isAsked,
    finish: () => finished.resolve(output),
  };
}
