#!/usr/bin/env node
import { taskSessionName } from "./tasks/names.ts";

// pi-tmux-session-name [SESSION_ID]: the tmux session of this folder and conversation, named as in the extension.
const id = process.argv[2] ?? process.env.PI_SESSION_ID;
if (!id || id.startsWith("-")) {
  console.error("usage: pi-tmux-session-name [SESSION_ID]   (without one, PI_SESSION_ID must be set)");
  process.exitCode = 1;
} else {
  console.log(taskSessionName(process.cwd(), id));
}
