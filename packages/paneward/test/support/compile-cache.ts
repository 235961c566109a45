import { join, resolve } from "node:path";

/** What the tests make once and use again, in all their processes and the next time. */
export const testCache = resolve(import.meta.dirname, "../../../../node_modules/.cache/paneward-test");

/** Where Node keeps what it compiled, so that a program of ours need not be compiled at each of its starts. */
export const compileCache = join(testCache, "compiled");
