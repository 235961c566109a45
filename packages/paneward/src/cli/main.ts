#!/usr/bin/env node

// Node 22 and 24 call SQLite an experiment, in every process that loads it.
const { emitWarning } = process;
process.emitWarning = ((warning: string | Error, ...rest: []) => {
  if (!String(warning).startsWith("SQLite is an experimental feature")) emitWarning.call(process, warning, ...rest);
}) as typeof process.emitWarning;

// Service managers may leave it out. What belongs to the user would then be looked for in /.
process.env.HOME ||= ownHome();
// Cache compiled code: short commands start faster. Node's default cache folder is shared between users, and another
// user could plant code there, so use a private one.
const { HOME, XDG_CACHE_HOME = "", NODE_COMPILE_CACHE } = process.env;
const cache = `${XDG_CACHE_HOME.startsWith("/") ? XDG_CACHE_HOME : `${HOME}/.cache`}/paneward/compiled`;
process.getBuiltinModule("node:module").enableCompileCache(cache);
// From `bin/paneward` of a clone; what is started from here need not know.
if (NODE_COMPILE_CACHE === cache) delete process.env.NODE_COMPILE_CACHE;
const { runCli } = await import("./program.ts");
process.exitCode = await runCli(process.argv.slice(2));

// An id without a row in the system's list of users has no home.
function ownHome(): string {
  try {
    return process.getBuiltinModule("node:os").userInfo().homedir;
  } catch {
    return "/";
  }
}
