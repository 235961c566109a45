#!/usr/bin/env node
// The command `paneward` of the published package. Every Node since 6 can read this file, so that one which is too old
// for the others gets a sentence instead of a syntax error. `test/cli/entry.test.ts` holds it to that.
"use strict";

const needed = require("../package.json").engines.node.replace(">=", "");
const running = process.versions.node;

if (isOlder(running.split("."), needed.split("."))) {
  console.error(`paneward: this is Node ${running}, and Paneward needs ${needed} or newer`);
  console.error(
    "hint: install a newer one from https://nodejs.org or with your version manager, and try again; " +
      "or install Paneward by its install.sh, which brings a Node of its own",
  );
  process.exitCode = 4;
} else {
  require("./start.cjs");
}

function isOlder(have, need) {
  const at = need.findIndex((part, place) => Number(have[place]) !== Number(part));
  return at >= 0 && Number(have[at]) < Number(need[at]);
}
