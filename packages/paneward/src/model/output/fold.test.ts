import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { plainText } from "../../../test/support/plain-text.ts";

const esc = "\u001b";
const csi = `${esc}[`;
const small = { columns: 20, rows: 5 };

/** What is printed, and how it reads. */
type Case = readonly [name: string, raw: string, text: string];

function check(cases: readonly Case[]): void {
  for (const [name, raw, text] of cases) test(name, () => assert.equal(plainText(raw, small), text));
}

describe("escape sequences are left out", () => {
  check([
    ["colours", `${csi}1;31mred${csi}0m ${csi}38;2;1;2;3mtrue${csi}m`, "red true"],
    ["titles and links", `${esc}]0;title\u0007${esc}]8;;http://x${esc}\\link${esc}]8;;${esc}\\`, "link"],
    ["a window's title, as tmux knows it", `${esc}ktitle${esc}\\text`, "text"],
    ["DCS, APC, PM and SOS", `a${esc}P1$r0m${esc}\\b${esc}_x${esc}\\c${esc}^y${esc}\\d${esc}Xz${esc}\\e`, "abcde"],
    ["their 8-bit forms", "a\u009b31mb\u009d0;title\u009cc\u0090q\u009cd", "abcd"],
    ["a string that another sequence breaks off", `a${esc}]0;tit${csi}31mb`, "ab"],
    ["modes, questions and cursor shapes", `${csi}?25l${csi}?2004h${csi}6n${csi}c${csi}2 qx`, "x"],
    ["bells and other controls", "a\u0007b\u0000c\u007fd", "abcd"],
    ["line drawing becomes lines", `${esc}(0lqk${esc}(B ok`, "┌─┐ ok"],
  ]);
});

describe("what is redrawn is returned as it looks in the end", () => {
  check([
    ["a progress bar", "10 %\r50 %\r100 %\r\ndone\r\n", "100 %\ndone\n"],
    ["a shorter text over a longer one", "downloading\rdone\r\n", "doneloading\n"],
    ["a line that is erased first", `downloading\r${csi}2Kdone\r\n`, "done\n"],
    ["a backspace", "abc\b\bX", "aXc"],
    ["several lines at once", `a 1\r\nb 1\r\n${csi}2A${csi}Ka 2\r\n${csi}Kb 2\r\n`, "a 2\nb 2\n"],
    ["a block that shrinks", `a\r\nb\r\nc\r\n${csi}3A${csi}Jd\r\n`, "d\n"],
    ["a column that is jumped to", `name   0 %${csi}8G42 %`, "name   42 %"],
    ["characters inserted and deleted", `abcd${csi}3D${csi}2@XY${csi}4G${csi}P`, "aXYcd"],
    ["a saved place", `${esc}7wait${esc}8done`, "done"],
    ["the same character again", `-${csi}5b`, "------"],
  ]);
});

describe("screens", () => {
  check([
    [
      "a full-screen program is gone when it is left",
      `$ vi\r\n${csi}?1049h${csi}Htext${csi}?1049l$ ls\r\n`,
      "$ vi\n$ ls\n",
    ],
    [
      "a full-screen program is its screen while it runs",
      `$ vi\r\n${csi}?1049h${csi}H1${csi}H2${csi}3Hx`,
      "$ vi\n\n2\n\nx",
    ],
    ["lines before a cleared screen are kept", `a\r\nb\r\n${csi}H${csi}2Jc`, "a\nb\nc"],
    ["frames that are cleared are told by the last one", `a\r\n${csi}H${csi}Jone${csi}H${csi}Jtwo`, "a\ntwo"],
    ["rows that scroll away inside of a region are kept", `${csi}1;2ra\r\nb\r\nc\r\n${csi}5Hbar`, "a\nb\nc\n\n\n\nbar"],
  ]);

  test("a program that prints after another was killed on the alternate screen loses nothing", () => {
    const printed = Array.from({ length: 30 }, (_, line) => `line ${line}`);
    const text = plainText(`${csi}?1049h${csi}Hdrawn\r\n${printed.join("\r\n")}`, small);
    assert.deepEqual(text.split("\n").slice(-30), printed);
  });
});

describe("characters", () => {
  check([
    ["wide ones take two columns", `漢字${csi}2DX`, "漢X"],
    ["half of one is nothing", `漢字${csi}4GX`, "漢 X"],
    ["emoji, with their joiners", "👩‍💻 ok ❤️", "👩‍💻 ok ❤️"],
    ["combining marks stay with their letter", `e\u0301a${csi}DX`, "e\u0301X"],
    ["tabs become spaces", "a\tb\tc", "a       b       c"],
    ["spaces at the end of a line are left out", "a   \r\nb   ", "a\nb"],
    ["a line that is too long for the screen is one line", "0123456789".repeat(5), "0123456789".repeat(5)],
    ["wide characters that do not fit go to the next row", `x${"漢".repeat(25)}`, `x${"漢".repeat(25)}`],
  ]);

  test("bytes that are not UTF-8 are marked", () => {
    assert.equal(plainText(Uint8Array.of(97, 0xff, 98, 0xe2, 0x82, 99), small), "a\ufffdb\ufffdc");
  });
});
