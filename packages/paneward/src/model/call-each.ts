/**
 * Calls every listener. If one throws, the others are still called and the caller continues: the error
 * becomes a rejection that nothing handles, which the daemon logs.
 */
export function callEach<Value>(listeners: Iterable<(value: Value) => void>, value: Value): void {
  for (const listener of listeners) {
    try {
      listener(value);
    } catch (error) {
      void Promise.reject(error);
    }
  }
}
