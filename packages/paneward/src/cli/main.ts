#!/usr/bin/env node
import module from "node:module";
import { tooOld } from "./node-version.ts";
import { neededNode } from "./version.ts";

const complaint = tooOld(process.versions.node, neededNode());
if (complaint) {
  console.error(complaint);
  process.exit(4);
}

// Compiled code is kept between runs, which makes short commands quicker. Not in the shared folder that Node would
// take: whoever can write there could have us run something else.
const { HOME, XDG_CACHE_HOME = HOME && `${HOME}/.cache` } = process.env;
if (XDG_CACHE_HOME) module.enableCompileCache(`${XDG_CACHE_HOME}/paneward/compiled`);
const { runCli } = await import("./program.ts");
process.exitCode = await runCli(process.argv.slice(2));
