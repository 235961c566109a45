import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { makeRepository, scriptedAgent } from "../support/repository.ts";
import { until } from "../support/until.ts";
import { cleanUpLast, openPane, step } from "./support/pane.ts";

/** Prints its prompt, changes a file, and echoes every line it gets. */
const agent = scriptedAgent(
  'printf "begun \\033[31mred\\033[0m: %s\\n" "$1"; echo "$1" > made.txt; while read line; do echo "heard $line"; done',
);

test("every key, in a real terminal", async (t) => {
  const daemon = await startDaemon(cleanUpLast(t), agent);
  const repository = makeRepository(daemon, "shop");
  const pane = await openPane(t, { ...daemon.env, EDITOR: "echo edited" }, { folder: repository.root });
  await pane.type("paneward\n");
  await pane.shows("Nothing is running yet.", "q quit");

  const tasks = async () => (await daemon.client.ps({ all: "true" })).tasks;
  const statusOf = async (id: number) => (await tasks()).find((task) => task.id === id)?.status;

  await step("n creates a draft, N creates and starts a task; its screen is shown with its colours", async () => {
    await pane.type("n");
    await pane.shows("new draft:");
    await pane.type("Fix the login\n");
    await pane.shows(/1 +fix-the-login +Draft/, "s start");
    await pane.type("N");
    await pane.shows("new task in shop:");
    await pane.type("Add sea");
    await pane.press("BSpace", "Left", "Right");
    await pane.type("arch\n");
    await pane.shows(/2 +add-search +Idle/);
    await pane.type("j");
    await pane.shows("begun red: Add search");
    assert.match(await pane.colours(), /\u001b\[31mred/);
  });

  await step("s starts, t types, x stops, r restarts", async () => {
    await pane.type("k");
    await pane.shows("─ 1 fix-the-login Draft");
    await pane.type("s");
    await pane.shows(/─ 1 fix-the-login Idle/, "begun red: Fix the login");
    await pane.type("t");
    await pane.shows("to 1 fix-the-login:");
    await pane.type("hello there\n");
    await pane.shows("heard hello there");
    await pane.type("x");
    await pane.shows(/─ 1 fix-the-login Stopped/, "stop 1: stopped");
    await pane.type("r");
    await pane.shows(/─ 1 fix-the-login Idle/);
    assert.equal(await statusOf(1), "Idle");
  });

  await step("Enter attaches with tmux, and C-b d returns to the list as it was", async () => {
    // tmux takes keys within a millisecond for a paste, in which C-b is no prefix.
    const socket = daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "";
    execFileSync("tmux", ["-S", socket, "set-option", "-g", "assume-paste-time", "0"]);
    await pane.press("Enter");
    await pane.shows(/C-b C-b d .*leaves it running/);
    await pane.shows("begun red: Fix the login");
    await pane.type("from inside\n");
    await pane.shows("heard from inside");
    await pane.press("C-b", "d");
    await pane.shows("q quit", "attach 1: detached", "─ 1 fix-the-login", "heard from inside");
  });

  await step("l reads the journal and searches it, d shows the diff", async () => {
    await pane.type("l");
    await pane.shows("1 fix-the-login: output", "heard hello there");
    await pane.type("/");
    await pane.shows("search:");
    await pane.type("hello\n");
    await pane.shows("n next");
    await until("the place is marked", async () => /\u001b\[30m\u001b\[43mhello/.test(await pane.colours()));
    await pane.type("q");
    await pane.shows("q quit");
    await pane.type("d");
    await pane.shows("1 fix-the-login against main", "+Fix the login");
    await pane.press("Escape");
    await pane.shows("q quit");
  });

  await step("! opens a shell in the worktree, e the editor; both return to the list", async () => {
    await pane.type("!");
    await pane.lacks("q quit");
    await pane.type("cat made.txt > copied.txt; exit\n");
    await pane.shows("shell 1: exited with code 0", "q quit");
    const worktree = (await daemon.client.path({ id: "1" })).path;
    assert.equal(readFileSync(join(worktree, "copied.txt"), "utf8"), "Fix the login\n");
    await pane.type("e");
    await pane.shows("edit 1: exited with code 0", "q quit");
  });

  await step("m merges, c completes, A shows completed tasks", async () => {
    const { path } = await daemon.client.path({ id: "1" });
    repository.git("-C", path, "add", "-A");
    repository.git("-C", path, "commit", "-q", "-m", "made");
    await pane.type("m");
    await pane.shows("merge 1: main advanced by 1 commit");
    assert.match(repository.git("log", "--oneline", "main"), /made/);
    await pane.type("c");
    await pane.shows("complete 1: done");
    await pane.lacks("1  fix-the-login");
    await pane.type("A");
    await pane.shows(/1 +fix-the-login +Completed/, "[with completed]");
    await pane.type("A");
    await pane.lacks("[with completed]");
  });

  await step("D removes after a confirmation, u restores", async () => {
    await pane.shows("─ 2 add-search");
    await pane.type("D");
    await pane.shows("remove 2 add-search? Its program will be stopped.", "(y/n)");
    await pane.type("n");
    await pane.lacks("(y/n)");
    assert.ok(await statusOf(2));
    await pane.type("D");
    await pane.shows("(y/n)");
    await pane.type("y");
    await pane.shows("rm 2: task 2 removed");
    await pane.lacks("─ 2 add-search");
    await pane.type("u");
    await pane.shows("undo: rm of 2 add-search is undone", /2 +add-search +Stopped/);
  });

  await step("/ filters while typing, Escape shows everything; o sorts; f shows rows that need the user", async () => {
    await daemon.client.run({ argv: ["sh", "-c", "echo up; exec sleep 1000"], name: "web", cwd: repository.root });
    await daemon.client.run({ argv: ["sleep", "1000"], name: "db", cwd: "/" });
    await pane.shows(/t\d+ web +/, /t\d+ db +/, "terminals");
    await pane.type("/");
    await pane.type("we");
    await pane.lacks(/t\d+ db +/);
    await pane.press("Enter");
    await pane.shows("[/we]", /t\d+ web/);
    await pane.press("Escape");
    await pane.shows(/t\d+ db +/);
    await pane.type("o");
    await pane.shows("[by number]");
    await pane.type("oooo");
    await pane.lacks("[by ");
    await pane.type("f");
    await pane.shows("[needs me]", "Nothing matches.");
    await pane.type("f");
    await pane.shows(/t\d+ web +/);
    await pane.press("Tab");
    await pane.shows("nothing needs you");
  });

  await step("g, G, pages and the mouse move the cursor; a second click attaches", async () => {
    await pane.press("G");
    await pane.shows(/─ t\d+ db/);
    await pane.press("Home");
    await pane.shows("─ 2 add-search");
    await pane.press("NPage");
    await pane.shows(/─ t\d+ db/);
    await pane.press("C-b");
    await pane.shows("─ 2 add-search");
    const lines = (await pane.shows(/t\d+ web +/)).split("\n");
    const row = lines.findIndex((line) => /^ t\d+ web/.test(line));
    await pane.click(5, row);
    await pane.shows(/─ t\d+ web/);
    await pane.click(5, row);
    await pane.shows(/C-b C-b d .*leaves it running/);
    await pane.press("C-b", "d");
    await pane.shows("q quit", /attach t\d+: detached/);
  });

  await step("L hides the log, + and - size it, ? shows every key", async () => {
    await pane.shows("─ commands ─");
    await pane.type("L");
    await pane.lacks("─ commands ─");
    await pane.type("+");
    await pane.shows("─ commands ─");
    const top = async () => (await pane.screen()).split("\n").findIndex((line) => line.startsWith("─ commands"));
    const before = await top();
    await pane.type("-");
    await until("the log is smaller", async () => (await top()) > before);
    await pane.type("?");
    await pane.shows("Keys", "mark the task as completed");
    await pane.press("C-l");
    await pane.type("G");
    await pane.shows("Mouse: click selects");
    await pane.type("q");
    await pane.shows("q quit");
  });

  await step("attach --follow in a second terminal shows the selected row", async () => {
    const second = await openPane(t, daemon.env, { folder: repository.root, columns: 100, rows: 20 });
    await pane.shows(/─ t\d+ web/);
    await second.type("paneward attach --follow\n");
    await second.shows("up", /C-b C-b d .*leaves it running/);
    await daemon.client.start({ id: "2" });
    await pane.press("Home");
    await pane.shows("─ 2 add-search Idle");
    await second.shows("begun red: Add search", /C-b C-b d .*leaves it running/);
    await second.press("C-b", "d");
    await second.shows(/detached[\s\S]*ready>/);
  });

  await step("q quits, and everything keeps running", async () => {
    await pane.type("q");
    await pane.shows(/ready>\s*$/);
    assert.equal(await statusOf(2), "Idle");
  });
});
