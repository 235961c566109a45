import { join, resolve } from "node:path";

/** Cache shared by all test processes and runs. */
export const testCache = resolve(import.meta.dirname, "../../../../node_modules/.cache/paneward-test");

/** Node's compile cache, so that programs are not compiled on every start. */
export const compileCache = join(testCache, "compiled");
