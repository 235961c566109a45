// The watcher of the pi extension in a process of its own; prints a line for each question of a task that it would tell pi.
import { nothingKnown, observe } from "../packages/pi/src/tasks/events.ts";
import { PlainServer } from "../packages/pi/src/tasks/server.ts";
import { Watcher } from "../packages/pi/src/tasks/watcher.ts";

let known = nothingKnown;
const watcher = new Watcher({
  server: new PlainServer(),
  session: process.argv[2] ?? "",
  onLook: (snapshot) => {
    const seen = observe(known, snapshot);
    known = seen.known;
    for (const event of seen.events) if (event.kind === "input") console.log(event.prompt);
  },
  onError: (error) => console.error(error),
  isGone: () => false,
});
await watcher.refresh();
console.log("ready");
process.stdin.resume().on("end", () => watcher.stop());
