/**
 * Calls every listener. One that throws keeps neither the others from their turn nor the caller from going on: its error
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
