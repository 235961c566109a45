import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { lastFirst, openPane } from "./support/pane.ts";

test("a question is announced, can be opened in place, and closes by itself when somebody else answers", async (t) => {
  const daemon = await startDaemon(lastFirst(t));
  const pane = await openPane(t, daemon.env, { folder: daemon.folder });
  const script = 'printf "Overwrite the file? [y/N] "; read answer; echo "got $answer"; exec cat';
  await daemon.client.run({ argv: ["sh", "-c", script], name: "asking", cwd: daemon.folder });
  await pane.type("paneward\n");
  await pane.shows("1 need you", /● t1 asking asks yes or no: .*Overwrite the file\?/, "a answer");
  await pane.press("Tab");
  await pane.type("a");
  await pane.shows("─ yes or no ─", "Enter answer", "Escape back");
  await pane.press("Escape");
  await pane.shows("q quit");
  await pane.type("a");
  await pane.shows("─ yes or no ─");
  await daemon.client.send({ id: "t1", keys: ["y", "Enter"] });
  await pane.shows("0 need you", "got y", "q quit");
});
