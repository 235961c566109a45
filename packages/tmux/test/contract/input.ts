import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { sendKeys, sendText } from "../../src/input.ts";
import { paneDetails, snapshot } from "../../src/pane.ts";
import type { Cleanup } from "../support/folder.ts";
import { written } from "../support/place.ts";
import { until } from "../support/until.ts";
import { openTerminal, type PlaceOf, printed, shell } from "./fixture.ts";

/** The program reads exactly what was typed. */
export function inputContract(place: PlaceOf): void {
  // A program that records the next bytes of its input unchanged.
  const reader = async (t: Cleanup, expected: string, setUp = "") => {
    const script = `stty raw -echo; ${setUp} printf ready; head -c "$1" >"$2.tmp"; mv "$2.tmp" "$2"; sleep 1000`;
    const argv = (folder: string) => shell(script, String(Buffer.byteLength(expected)), join(folder, "typed"));
    const terminal = await openTerminal(t, place(), argv);
    await printed(terminal.journal, "ready");
    return { ...terminal, typed: () => written(join(terminal.folder, "typed")) };
  };

  test("text arrives unchanged: leading dash, trailing semicolon, key names, every script", async (t) => {
    const texts = [
      "-l dash",
      "trailing;",
      ";",
      "Enter",
      "$HOME #{pane_id} ~ %1 \\",
      "ünï 日本 🙂 👩‍👩‍👧 e\u0301",
      "\t\u0001\u007f",
    ];
    const { server, pane, typed } = await reader(t, texts.join(""));
    for (const text of texts) {
      const { latencyMs } = await sendText(server, pane, text);
      assert.ok(latencyMs > 0);
    }
    assert.equal(await typed(), texts.join(""));
  });

  test("Enter is a separate key after the text", async (t) => {
    const { server, pane, typed } = await reader(t, "yes\r\r");
    await sendText(server, pane, "yes", { enter: true, delayMs: 1 });
    await sendText(server, pane, "", { enter: true });
    assert.equal(await typed(), "yes\r\r");
  });

  test("several lines are one bracketed paste for a program that requested it", async (t) => {
    const expected = "\u001b[200~one;\r- two\rthree\u001b[201~";
    const { server, pane, typed } = await reader(t, expected, "printf '\\033[?2004h';");
    await sendText(server, pane, "one;\n- two\nthree");
    assert.equal(await typed(), expected);
  });

  test("several lines are plain text for a program that did not", async (t) => {
    const { server, pane, typed } = await reader(t, "one\rtwo");
    await sendText(server, pane, "one\ntwo");
    assert.equal(await typed(), "one\rtwo");
  });

  test("a forced paste is bracketed even for a program that has not requested it yet", async (t) => {
    const long = `${"x".repeat(5_000)}\ny`;
    const expected = `\u001b[200~what? !\u001b[201~\u001b[200~${long.replace("\n", "\r")}\u001b[201~`;
    const { server, pane, typed } = await reader(t, expected);
    await sendText(server, pane, "what? !", { paste: true });
    await sendText(server, pane, long, { paste: true });
    assert.equal(await typed(), expected);
  });

  test("a line is pasted if the program requested that, else typed", async (t) => {
    const asked = await reader(t, "\u001b[200~what?\u001b[201~", "printf '\\033[?2004h';");
    await sendText(asked.server, asked.pane, "what?", { paste: "if asked" });
    assert.equal(await asked.typed(), "\u001b[200~what?\u001b[201~");
    const plain = await reader(t, "what?");
    await sendText(plain.server, plain.pane, "what?", { paste: "if asked" });
    assert.equal(await plain.typed(), "what?");
  });

  test("text that contains the end-of-paste sequence is refused", async (t) => {
    const { server, pane, typed } = await reader(t, "ok");
    await assert.rejects(sendText(server, pane, "a\n\u001b[201~rm"), { type: "send_failed", delivered: "no" });
    await assert.rejects(sendText(server, pane, "a\0b"), { type: "send_failed", delivered: "no" });
    await sendText(server, pane, "ok");
    assert.equal(await typed(), "ok");
  });

  test("a megabyte in one call arrives byte by byte", async (t) => {
    const line = Array.from({ length: 70_000 }, (_, at) => `${at} wörd;`).join("");
    const text = line.slice(0, 1_048_576 - (Buffer.byteLength(line) - line.length)).padEnd(1_000_000, "-");
    const { server, pane, typed } = await reader(t, text);
    await sendText(server, pane, text);
    assert.ok((await typed()) === text, "the text that arrived differs");
  });

  test("named keys arrive in order, each as its own sequence", async (t) => {
    const expected = "a\r\u001b\u001b[A\u0003\t;-\u007f";
    const { server, pane, typed } = await reader(t, expected);
    await sendKeys(server, pane, ["a", "Enter", "Escape", "Up", "C-c", "Tab", ";", "-", "BSpace"], { delayMs: 1 });
    assert.equal(await typed(), expected);
  });

  test("an unknown key is an error before the first key is sent", async (t) => {
    const { server, pane, typed } = await reader(t, "b");
    await assert.rejects(sendKeys(server, pane, ["a", "Entr"]), { type: "send_failed", delivered: "no" });
    await sendKeys(server, pane, ["b"]);
    assert.equal(await typed(), "b");
  });

  test("a dead pane is an error, not a success", async (t) => {
    const { server, pane } = await openTerminal(t, place(), shell("exit 0"));
    await until("the pane is dead", async () => (await snapshot(server))[0]?.dead);
    const dead = { type: "send_failed", delivered: "no", message: /has ended/ };
    await assert.rejects(sendText(server, pane, "x"), dead);
    await assert.rejects(sendKeys(server, pane, ["Enter"]), dead);
  });

  test("copy mode is reported, or left on request", async (t) => {
    const { server, pane, typed } = await reader(t, "xC");
    await server.run([["copy-mode", "-t", pane]]);
    await assert.rejects(sendText(server, pane, "q"), { type: "send_failed", message: /copy mode/ });
    await assert.rejects(sendKeys(server, pane, ["q"]), { type: "send_failed", message: /copy mode/ });
    assert.equal((await paneDetails(server, [pane]))[0]?.inMode, true);
    await sendText(server, pane, "x", { copyMode: "leave" });
    await server.run([["copy-mode", "-t", pane]]);
    await sendKeys(server, pane, ["C"], { copyMode: "leave" });
    assert.equal(await typed(), "xC");
  });
}
