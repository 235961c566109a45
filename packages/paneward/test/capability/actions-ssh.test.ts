import assert from "node:assert/strict";
import { before, test } from "node:test";
import { lacksSsh } from "../../../tmux/test/support/sshd.ts";
import { suiteThatNeeds } from "../../../tmux/test/support/suite.ts";
import { cases } from "./cases/cases.ts";
import { sshWorkbench, type Workbench } from "./support/workbench.ts";

// Slow cases only in the soak tests; they behave the same on every host.
const long = process.env.PANEWARD_SOAK !== undefined;
const chosen = cases.filter(
  ({ name }) => long || !/^wait (mistakes|does not|ends with silence)|^since returns/.test(name),
);

suiteThatNeeds(
  "the capability through ssh",
  lacksSsh(),
  (suite) => {
    let bench: Workbench;
    before(async () => {
      bench = await sshWorkbench(suite, "http");
    });
    for (const { name, run } of chosen) test(name, () => run(bench));

    test("the session is in the remote tmux, and the remote shell gets every word unchanged", async () => {
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
