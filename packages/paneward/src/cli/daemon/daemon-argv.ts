import { extname, join } from "node:path";

/** The command line that runs a daemon of this installation. */
export function daemonArgv(): readonly string[] {
  return [process.execPath, ...quietly, ...process.execArgv, mainFile, "daemon", "run"];
}

/** The file that runs this command line, from source or from dist. */
const mainFile = join(import.meta.dirname, "..", `main${extname(import.meta.filename)}`);

// Node before 22.14 does not know it.
const quietly = ["--disable-sigusr1"].filter((flag) => process.allowedNodeEnvironmentFlags.has(flag));
