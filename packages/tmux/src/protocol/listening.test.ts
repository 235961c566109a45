import assert from "node:assert/strict";
import { test } from "node:test";
import { listeningOf, type Wait, waitBy } from "./listening.ts";

const modes = (flags: string) =>
  `speed 38400 baud; rows 24; columns 80; line = 0;\nintr = ^C; eol2 = <undef>;\n-parenb cs8 hupcl\nisig ${flags} iexten echoe echok -echonl\n`;
const cooked = modes("icanon echo");

test("whether a program reads its terminal follows from its modes, then from what its foreground group waits for", () => {
  const cases: readonly (readonly [string, readonly Wait[], string, boolean, boolean])[] = [
    [cooked, ["other", "terminal"], "yes", false, false],
    [cooked, ["other", "terminal or socket"], "yes", false, false],
    [modes("icanon -echo"), ["terminal"], "yes", true, false],
    [cooked, ["other", "other"], "no", false, false],
    [cooked, ["other", "several"], "unknown", false, false],
    [cooked, ["other", "unknown"], "unknown", false, false],
    [cooked, [], "unknown", false, false],
    [modes("icanon -echo"), ["unknown"], "yes", true, false],
    [modes("icanon -echo"), ["other"], "yes", true, false],
    [modes("-icanon -echo"), ["several"], "yes", false, true],
    [modes("-icanon echo"), ["other"], "yes", false, true],
    ["", ["terminal"], "yes", false, false],
    ["", ["other"], "no", false, false],
    ["", ["several"], "unknown", false, false],
  ];
  for (const [text, waits, reads, hidden, raw] of cases) {
    const seen = waits.includes("terminal") ? { waits: true } : {};
    assert.deepEqual(listeningOf({ modes: text, waits }), { reads, hidden, raw, ...seen }, `${text} ${waits}`);
  }
});

test("a thread's state and the place where it sleeps say what it waits for", () => {
  const cases: readonly (readonly [string, string, Wait])[] = [
    ["S", "wait_woken", "terminal or socket"],
    ["S", "n_tty_read", "terminal"],
    ["S", "poll_schedule_timeout.constprop.0", "several"],
    ["S", "do_select", "several"],
    ["S", "do_epoll_wait", "several"],
    ["S", "do_wait", "other"],
    ["S", "anon_pipe_read", "other"],
    ["S", "hrtimer_nanosleep", "other"],
    ["R", "0", "other"],
    ["S", "0", "unknown"],
    ["S", "", "unknown"],
  ];
  for (const [state, place, wait] of cases) assert.equal(waitBy(state, place), wait, `${state} ${place}`);
});
