import assert from "node:assert/strict";
import { before, test } from "node:test";
import { lacksSsh } from "../../../tmux/test/support/sshd.ts";
import { suiteThatNeeds } from "../../../tmux/test/support/suite.ts";
import { cases } from "./cases/cases.ts";
import { sshWorkbench, type Workbench } from "./support/workbench.ts";

// Those that wait long for a shell of their own only in the long tests; they are the same on every host.
const long = process.env.PANEWARD_SOAK !== undefined;
const chosen = cases.filter(({ name }) => long || !/^wait (takes|does not|ends with silence)|^since gives/.test(name));

suiteThatNeeds(
  "the capability through ssh",
  lacksSsh(),
  (suite) => {
    let bench: Workbench;
    before(async () => {
      bench = await sshWorkbench(suite, "http");
    });
    for (const { name, run } of chosen) test(name, () => run(bench));

    test("the far side's own tmux holds the session, and the far side's shell gets every word as it was", async () => {
      const { model, daemon, folder, tmux } = bench;
      const words = `'it''s' "$HOME" \\ * ; & | #{pane_id} \`id\` é`;
      await model.does("split", { direction: "vertical", title: words });
      const titles = await tmux("list-panes", "-s", "-t", "=artie", "-F", "#{@PANE_TITLE}");
      assert.ok(titles.split("\n").includes(words), titles);
      const { hosts } = await daemon.client.hosts({});
      const box = hosts.find(({ name }) => name === "box");
      assert.equal(box?.state, "connected");
      assert.ok(box?.socket.startsWith(folder), box?.socket);
    });
  },
  1,
);
