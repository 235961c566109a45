import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { files, text } from "./support/repository.ts";

/** A number of milliseconds or seconds with a name of its own. */
const duration = /^\s*(?:export )?const (\w*(?:Ms|Seconds))(?:: number)? = (?:[\d(]|\{)/gm;

/** A wait of a tenth of a second or more, written where it is waited. A shorter one is a pause between two looks. */
const unnamed = /\b(?:sleep|timer|interval|pause)\((\d[\d_]{2,})\s*[,)]/g;

function durationsIn(path: string, source: string): readonly string[] {
  const named = [...source.matchAll(duration)].map(([, name]) => `${path} ${name}`);
  const others = [...source.matchAll(unnamed)].map(([, ms]) => `${path} waits ${ms} ms without a name`);
  return [...named, ...others];
}

/** What decides no status, no delivery and no answer, and why it is not in model/timing.ts. */
const elsewhere = {
  "how often something is looked at or tried again": [
    "capability/until-shell-reads.ts lookAgainMs",
    "capability/wait.ts pollMs",
    "runtime/answering/hook-wait.ts lookEveryMs",
    "runtime/attention/looks.ts minBetweenMs",
    "runtime/attention/looks.ts minPromptGapMs",
    "runtime/attention/osc-status.ts minMs",
    "runtime/attention/osc-status.ts maxMs",
    "runtime/attention/screen-watch.ts retryMs",
    "runtime/attention/screen-watch.ts maxRetryMs",
    "runtime/operations/file-watch.ts lookEveryMs",
    "runtime/operations/room-watch.ts lookEveryMs",
    "runtime/output/adopted-read.ts lookEveryMs",
    "runtime/output/terminal-stream.ts lookForSizeMs",
    "runtime/output/terminal-stream.ts waitMs",
    "runtime/team/team.ts tryAgainMs",
    "runtime/terminals/adopted.ts lookEveryMs",
    "runtime/terminals/bring-back.ts leftLookMs",
    "runtime/terminals/supervisor.ts cleanUpEveryMs",
    "runtime/witnesses/followed-server.ts minWaitMs",
    "runtime/witnesses/followed-server.ts maxWaitMs",
    "runtime/witnesses/hook-script-file.ts lookEveryMs",
    "runtime/witnesses/state-files.ts lookAgainMs",
  ],
  "how long logins and records are kept": [
    "runtime/access/logins.ts loginMs",
    "runtime/access/logins.ts noteEveryMs",
    "runtime/access/pairings.ts pairingMs",
    "runtime/access/passkeys.ts pendingMs",
    "runtime/access/sessions.ts challengeMs",
    "runtime/access/sessions.ts sessionMs",
    "runtime/operations/list-operations.ts recentMs",
    "runtime/operations/maintenance.ts keepLostMs",
    "runtime/operations/maintenance.ts justBegunMs",
    "model/team/task.ts defaultLeaseMs",
  ],
  "how long who was wrong has to wait": [
    "model/lockout.ts firstPauseMs",
    "model/lockout.ts maxPauseMs",
    "model/lockout.ts forgetMs",
  ],
  "when people are told of what is known": [
    "model/notify/attempts.ts firstPauseMs",
    "model/notify/attempts.ts minPauseMs",
    "model/notify/attempts.ts maxPauseMs",
    "model/notify/attempts.ts dayMs",
    "model/notify/schedule.ts floodWindowMs",
    "model/notify/schedule.ts momentMs",
    "model/notify/taps.ts tapMs",
    "runtime/notify/attached.ts looksForMs",
    "runtime/notify/attached.ts maxAskMs",
    "runtime/notify/notifier.ts keptMs",
    "runtime/notify/notifier.ts maxSleepMs",
    "runtime/notify/notifier.ts readAgainMs",
    "runtime/notify/notifier.ts tryAgainMs",
    "runtime/operations/notify-operations.ts maxTestMs",
  ],
  "how much work one answer may cost": [
    "runtime/operations/list-operations.ts sameTroubleMs",
    "runtime/output/pattern-thread.ts maxMs",
    "runtime/tasks/work-amounts.ts staleAfterMs",
    "runtime/tasks/work-amounts.ts patienceMs",
  ],
  "units and limits of Node": [
    "runtime/attention/verdicts.ts maxTimerMs",
    "runtime/operations/maintenance.ts hourMs",
    "runtime/operations/maintenance.ts dayMs",
    "runtime/output/output-counts.ts minuteMs",
  ],
} as const;

describe("a threshold in time", () => {
  test("that decides a status, a delivery or an answer is in model/timing.ts", () => {
    const folder = "packages/paneward/src/";
    const sources = files(`${folder}{runtime,model,capability}/**/*.ts`).filter(
      (path) => !/\.test\.ts$/.test(path) && path !== `${folder}model/timing.ts`,
    );
    assert.ok(sources.length > 150, "the rooms were found");
    const found = sources.flatMap((path) => durationsIn(path.slice(folder.length), text(path)));
    assert.deepEqual(found.toSorted(), Object.values(elsewhere).flat().toSorted());
  });

  for (const line of [
    "const soonMs = 100;",
    "export const graceMs = 2 * hourMs;",
    "const spinMs = { a: 1 };",
    "  const maxSeconds: number = 5;",
    "await clock.sleep(750);",
    "stop = this.#clock.interval(1_000, look);",
  ]) {
    test(`is found in \`${line}\``, () => assert.equal(durationsIn("x.ts", line).length, 1));
  }

  for (const line of [
    "const leftMs = clock.monotonic() - began;",
    "// const oldMs = 5;",
    "await clock.sleep(20);",
    "clock.timer(1_000 / perSecond, look);",
  ]) {
    test(`is none in \`${line}\``, () => assert.deepEqual(durationsIn("x.ts", line), []));
  }
});
