#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// Compiled code is kept between runs, which makes short commands quicker. Not in the shared folder that Node would
// take: whoever can write there could have us run something else.
const { HOME, XDG_CACHE_HOME = HOME && `${HOME}/.cache` } = process.env;
if (XDG_CACHE_HOME) enableCompileCache(`${XDG_CACHE_HOME}/paneward/compiled`);
const { runCli } = await import("./program.ts");
process.exitCode = await runCli(process.argv.slice(2));
