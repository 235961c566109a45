import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { until } from "../../support/until.ts";
import type { Model } from "../support/model.ts";
import { run } from "../support/workbench.ts";
import type { Case } from "./cases.ts";

/** Sending, reading and waiting. */
export const readingCases: readonly Case[] = [
  {
    name: "send returns pane, command and time, and does not wait",
    async run({ model }) {
      const { pane } = await model.does("window");
      const sent = await model.does("send", { pane, command: "sleep 100000" });
      assert.deepEqual(Object.keys(sent).sort(), ["command", "pane", "sent_at"]);
      assert.deepEqual([sent.pane, sent.command], [pane, "sleep 100000"]);
      assert.match(sent.sent_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    },
  },
  {
    name: "a command is typed literally, whatever it means to a shell or tmux",
    async run({ model }) {
      const { pane } = await model.does("window");
      const text = `a;b $(echo no) \`echo no\` "q" 'q' \\ #{pane_id} %end ~ $HOME é 日本 ; --`;
      await model.does("send", { pane, command: "cat" });
      await model.does("send", { pane, command: text });
      const output = await until("cat repeats the text", async () => {
        const read = (await model.does("read", { pane })).output as string;
        return read.split(text).length > 2 && read;
      });
      assert.ok(!output.includes("a;b no"));
    },
  },
  {
    name: "the command &#3; is Ctrl-C",
    async run({ model }) {
      const { pane } = await model.does("window");
      await model.does("send", { pane, command: "sleep 100000" });
      await until("it sleeps", async () => (await runningIn(model, pane)) === "sleep 100000");
      await model.says(`<capability name="tmux" action="send" pane="${pane}" command="&#3;"${hostOf(model)} />`);
      await until("it is interrupted", async () => /sh$/.test(await runningIn(model, pane)));
    },
  },
  {
    name: "the body of a tag is a command too, over several lines",
    async run({ model }) {
      const { pane } = await model.does("window");
      const host = hostOf(model);
      await model.says(
        `<capability name="tmux" action="send" pane="${pane}"${host}>\nfor i in 1 2 3; do\necho body-$i\ndone\n</capability>`,
      );
      await until("all of it ran", async () => /^body-3$/m.test((await model.does("read", { pane })).output));
    },
  },
  {
    name: "read returns output, lines, cursor and whether older lines exist",
    async run({ model }) {
      const { pane } = await model.does("window");
      await printed(model, pane, "seq 0 300", "300");
      const some = await model.does("read", { pane, lines: "50" });
      assert.deepEqual(Object.keys(some).sort(), ["cursor_position", "has_more", "lines_captured", "output", "pane"]);
      assert.equal(some.lines_captured, 50);
      assert.equal(some.output.split("\n").length, 50);
      assert.equal(typeof some.cursor_position, "string");
      assert.equal(some.has_more, true);
      assert.equal((await model.does("read", { pane })).lines_captured, 100);
      const all = await model.does("read", { pane, all: "true" });
      assert.equal(all.has_more, false);
      assert.match(all.output, /(^| )1$[\s\S]*^300$/m);
    },
  },
  {
    name: "the first since returns the visible screen, the next only new output, then nothing",
    async run({ model }) {
      const { pane } = await model.does("window");
      await printed(model, pane, "echo one-$((1+1))", "one-2", false);
      const first = await model.does("read", { pane, since: "true" });
      assert.match(first.output, /one-2$/m);
      await model.does("send", { pane, command: "echo two-$((1+1))" });
      const seen: string[] = [];
      await until("the new line comes", async () => {
        seen.push((await model.does("read", { pane, since: "true" })).output);
        return /two-2$/m.test(seen.join("\n"));
      });
      assert.ok(!seen.join("\n").includes("one-2"), seen.join("\n"));
      await quiet(model, pane);
      const rest = await model.does("read", { pane, since: "true" });
      assert.deepEqual([rest.output, rest.lines_captured, rest.has_more], ["", 0, false]);
    },
  },
  {
    name: "since returns a long output piece by piece, no line twice and none missing; all resets the position",
    async run({ model }) {
      const { pane } = await model.does("window");
      await model.does("read", { pane });
      await model.does("send", { pane, command: "seq -f n%g 0 250" });
      await model.does("wait", { pane, pattern: "^n250$" });
      const lines: string[] = [];
      for (let more = true; more; ) {
        const piece = await model.does("read", { pane, since: "true", lines: "40" });
        assert.ok(piece.lines_captured <= 40);
        lines.push(...piece.output.split("\n"));
        more = piece.has_more;
      }
      assert.deepEqual(
        lines.filter((line) => /^n[1-9]\d*$/.test(line)),
        Array.from({ length: 250 }, (_, at) => `n${at + 1}`),
      );
      await quiet(model, pane);
      assert.match((await model.does("read", { pane, all: "true" })).output, /(^| )n1$[\s\S]*^n250$/m);
      assert.equal((await model.does("read", { pane, since: "true" })).output, "");
    },
  },
  {
    name: "clear empties the pane before the command",
    async run({ model }) {
      const { pane } = await model.does("window");
      await printed(model, pane, "echo old-$((1+1))", "old-2");
      await model.does("send", { pane, command: "echo new-$((1+1))", clear: "true" });
      await model.does("wait", { pane, pattern: "new-2$" });
      const { output } = await model.does("read", { pane, all: "true" });
      assert.match(output, /new-2$/m);
      assert.ok(!output.includes("old-2"), output);
    },
  },
  {
    name: "wait ends with the running command, and returns what runs then",
    async run({ model }) {
      const { pane } = await model.does("window");
      await model.does("send", { pane, command: "sleep 1" });
      const waited = await model.does("wait", { pane });
      assert.equal(waited.reason, "exited");
      assert.match(waited.running, /sh$/);
      assert.equal(typeof waited.waited_seconds, "number");
    },
  },
  {
    name: "wait ends with a match after the command, not with the command's own echo",
    async run({ model, folder }) {
      const { pane } = await model.does("window");
      await model.does("send", { pane, command: `until [ -e ${folder}/go ]; do sleep 0.05; done; echo all done` });
      const early = await model.does("wait", { pane, pattern: "all d.ne", timeout: "1" });
      assert.equal(early.reason, "timeout");
      const waiting = model.does("wait", { pane, pattern: "all d.ne", timeout: "60" });
      const other = await model.does("window");
      await model.does("send", { pane: other.pane, command: `touch ${folder}/go` });
      const waited = await waiting;
      assert.deepEqual([waited.reason, waited.match], ["pattern", "all done"]);
    },
  },
  {
    name: "wait mistakes neither the echo of a slow shell for output, nor its start for the command's end",
    async run({ model, folder }) {
      const { pane, window } = await model.does("window");
      const gate = `${folder}/gate-${window}`;
      await run("mkfifo", gate);
      // A shell that reads nothing until the gate opens, as with slow start-up files; bash then echoes the typed text again.
      const late = `read x < ${gate}; command -v bash >/dev/null && exec bash --norc -i; exec sh -i`;
      await model.does("send", { pane, command: `exec sh -c '${late}'` });
      await model.does("send", { pane, command: "echo all done-$((6*7))" });
      const early = await model.does("wait", { pane, pattern: String.raw`all d.ne-\S+`, timeout: "2" });
      assert.equal(early.reason, "timeout");
      await writeFile(gate, "go\n");
      const waited = await model.does("wait", { pane, pattern: String.raw`all d.ne-\S+`, timeout: "60" });
      assert.deepEqual([waited.reason, waited.match], ["pattern", "all done-42"]);
    },
  },
  {
    name: "wait does not mistake a command substitution for the command's end",
    async run({ model, folder }) {
      const { pane, window } = await model.does("window");
      const go = `${folder}/found-${window}`;
      await model.does("send", { pane, command: `x=$(until [ -e ${go} ]; do sleep 0.05; done; echo 7); echo got-$x` });
      const early = await model.does("wait", { pane, timeout: "2" });
      assert.equal(early.reason, "timeout");
      await writeFile(go, "");
      const waited = await model.does("wait", { pane, timeout: "60" });
      assert.equal(waited.reason, "exited");
      assert.match((await model.does("read", { pane })).output, /got-7$/m);
    },
  },
  {
    name: "wait ends with silence while the command keeps running",
    async run({ model }) {
      const { pane } = await model.does("window");
      await model.does("send", { pane, command: "sleep 1000" });
      const waited = await model.does("wait", { pane, idle: "0.7", timeout: "60" });
      assert.deepEqual([waited.reason, waited.running], ["idle", "sleep 1000"]);
    },
  },
];

/**
 * Runs a command and waits for its last line; without reading, if positions matter. If text was typed before the shell
 * had started, the prompt precedes the command's first line.
 */
async function printed(model: Model, pane: string, command: string, last: string, byReading = true): Promise<void> {
  await model.does("send", { pane, command });
  if (!byReading) await model.does("wait", { pane, pattern: `${last}$` });
  else await until(`${last} is printed`, async () => lineIn((await model.does("read", { pane })).output, last));
}

async function runningIn(model: Model, pane: string): Promise<string> {
  const { windows } = await model.does("list");
  type Listed = { readonly panes: readonly { readonly id: string; readonly running: string }[] };
  const panes = (windows as readonly Listed[]).flatMap((window) => window.panes);
  return panes.find(({ id }) => id === pane)?.running ?? "";
}

async function quiet(model: Model, pane: string): Promise<void> {
  await model.does("wait", { pane });
  await until("the prompt was read", async () => (await model.does("read", { pane, since: "true" })).output === "");
}

function lineIn(output: string, line: string): boolean {
  return output.split("\n").some((one) => one === line || one.endsWith(`# ${line}`) || one.endsWith(`$ ${line}`));
}

function hostOf(model: Model): string {
  return model.host === undefined ? "" : ` host="${model.host}"`;
}
