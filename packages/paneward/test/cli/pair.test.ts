import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Output, PanewardError } from "@paneward/sdk";
import { shownText } from "../../src/cli/look/exit.ts";
import { qrLines } from "../../src/cli/look/qr.ts";
import { paneward } from "./support/cli.ts";
import { fakeDaemon } from "./support/fake-daemon.ts";
import { panewardInTerminal } from "./support/terminal.ts";

type Pairing = Output<"pair_wait">;

const url = `https://box.example.org/#/pair/${"s".repeat(22)}_${"0".repeat(32)}`;
const started = { id: "0a1b2c3d", url, code: "ABCD-2345", scope: "approve", expiresAt: 1, passkey: true } as const;
const asked: Pairing = { state: "asked", device: "Chrome on Android", address: "100.64.0.7" };
const done: Pairing = { state: "paired", login: { id: "9f8e7d6c", name: "Ada's phone", scope: "approve" } };

describe("pair", { concurrency: 4 }, () => {
  test("needs a terminal, where somebody types the number", async (t) => {
    const { env, asked } = await fakeDaemon(t);
    const { code, stderr } = await paneward(["pair"], { env });
    assert.equal(code, 2);
    assert.match(stderr, /needs a terminal[\s\S]*ssh -t/);
    assert.deepEqual(asked, []);
  });

  test("on a terminal of 80 by 24 the QR code and the short code stay in view", async (t) => {
    const { env } = await fakeDaemon(t, { pair_start: () => started, pair_wait: () => new Promise(() => {}) });
    const cli = await panewardInTerminal(t, ["pair"], { ...env, LANG: "C.UTF-8" }, { columns: 80, rows: 24 });
    const screen = plain(await cli.shows("waiting for the device"));
    const code = (qrLines(url, 80, { LANG: "C.UTF-8" }) ?? []).map((line) => plain(shownText(line)));
    assert.ok(code.length > 15 && screen.includes(code.join("\n")), screen);
    assert.match(screen, /and type ABCD-2345/);
  });

  for (const [where, size, locale] of [
    ["too narrow for a QR code", { columns: 40, rows: 30 }, "C.UTF-8"],
    ["without Unicode", { columns: 100, rows: 50 }, "C"],
    ["with room and half blocks", { columns: 100, rows: 50 }, "C.UTF-8"],
  ] as const) {
    test(`on a terminal ${where} prints what it can draw`, async (t) => {
      const { env } = await fakeDaemon(t, { pair_start: () => started, pair_wait: () => done });
      const cli = await panewardInTerminal(t, ["pair"], { ...env, LANG: locale }, size);
      assert.equal(await cli.ended(), 0);
      const screen = await cli.screen();
      assert.equal(/[█▀▄]{10}/.test(screen), where.startsWith("with room"));
      const flat = plain(screen).replaceAll("\n", "");
      assert.ok(flat.includes(url), flat);
      assert.match(flat, /https:\/\/box\.example\.org\/#\/pair there, and type ABCD-2345/);
    });
  }

  test("asks for the number until it is right, and says when the short code is off", async (t) => {
    const states: Pairing[] = [
      { state: "code_is_off" },
      { state: "code_is_off" },
      asked,
      { ...asked, state: "confirmed" },
      done,
    ];
    const daemon = await fakeDaemon(t, {
      pair_start: () => started,
      pair_wait: () => states.shift() ?? done,
      pair_confirm: ({ number }) => {
        if (number === "4821") return states.shift() ?? done;
        throw new PanewardError("bad_input", "the device shows another number");
      },
    });
    const cli = await panewardInTerminal(t, ["pair", "--name", "Ada's phone", "--scope", "send"], daemon.env);
    await cli.shows("Chrome on Android, from 100.64.0.7, asks to be paired");
    await cli.press("1234", "Enter");
    await cli.shows("the device shows another number");
    await cli.press("4821", "Enter");
    const screen = await cli.shows("Ada's phone is paired: login 9f8e7d6c");
    assert.equal(await cli.ended(), 0);
    assert.equal(screen.match(/somebody guesses codes/g)?.length, 1);
    const inputs = daemon.asked.flatMap(({ operation, input }) => (operation === "pair_start" ? [input] : []));
    assert.deepEqual(inputs, [{ name: "Ada's phone", scope: "send" }]);
  });

  test("refuses a device when no number is typed", async (t) => {
    const daemon = await fakeDaemon(t, {
      pair_start: () => started,
      pair_wait: () => asked,
      pair_refuse: () => ({ state: "over", why: "refused at the terminal" }),
    });
    const cli = await panewardInTerminal(t, ["pair"], daemon.env);
    await cli.shows("asks to be paired");
    await cli.press("Enter");
    await cli.shows("nothing was paired: refused at the terminal");
    assert.equal(await cli.ended(), 6);
  });
});

function plain(text: string): string {
  return text.replace(/\u001b\[[\d;]*m/g, "");
}
