/**
 * Flags for processes that live for seconds, many at a time. Without room for what a start leaves behind, collecting it is a
 * fifth of the start; and V8's own threads, which help one process on idle cores, take the cores from the others.
 */
export const lightNode = ["--min-semi-space-size=16", "--v8-pool-size=0"] as const;
