#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// Compiled code is kept between runs, which takes a third off the time of a short command such as `ps`.
enableCompileCache();
const { runCli } = await import("./program.ts");
process.exitCode = await runCli(process.argv.slice(2));
