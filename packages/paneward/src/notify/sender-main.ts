import { setTimeout as delay } from "node:timers/promises";
import { Lines } from "@paneward/sdk";
import type { Absence, NoticeJob } from "../runtime/ports.ts";
import { holderOf, takeLock } from "../system/lock.ts";
import type { Tools } from "./channel.ts";
import { Listening } from "./listening.ts";
import { sendRequest } from "./request.ts";
import { runProgram } from "./run-program.ts";
import { showOnTerminal } from "./show-on-terminal.ts";
import { Spool } from "./spool.ts";
import { tellAbsence } from "./tell-absence.ts";
import type { FromSender, ToSender } from "./wire.ts";
import { Work } from "./work.ts";

// Runs beside the daemon and outlives it: see docs/decisions/0055-notices-have-a-sender.md.
const replyMs = 60_000;
const maxLine = 4_194_304;
const maxWaitMs = 120_000;
const lookEveryMs = 50;
const [, , folder = "", tmuxSocket = "", daemonLock = "", daemonPid = ""] = process.argv;
const spool = new Spool(folder);
const lock = await lockOf(spool);
const tools: Tools = {
  ...{ fetch: sendRequest, run: runProgram, show: showOnTerminal, env: process.env, tmuxSocket },
  now: () => Date.now(),
  sleep: (ms, signal) =>
    delay(ms, undefined, { ...(signal ? { signal } : {}) }).catch(() => undefined) as Promise<void>,
};
// The daemon may be gone: then its successor reads the files.
process.stdout.on("error", () => {});
const say = (message: FromSender) => void process.stdout.write(`${JSON.stringify(message)}\n`);
const replies = new Map<number, (words: string) => void>();
let taps = 0;
const work = new Work({ spool, tools, done: (job, outcome) => say({ kind: "done", job, outcome }) });
let absence: Absence | undefined;
const listening = new Listening(
  tools,
  (channel, capability) => {
    const tap = ++taps;
    say({ kind: "tapped", tap, channel, capability });
    return new Promise((resolve) => {
      replies.set(tap, resolve);
      setTimeout(() => {
        replies.delete(tap);
        resolve("the daemon does not answer");
      }, replyMs).unref();
    });
  },
  (channel, trouble) => say({ kind: "heard", channel, ...(trouble === undefined ? {} : { trouble }) }),
);
say({ kind: "ready" });

const lines = new Lines(maxLine);
for await (const piece of process.stdin.setEncoding("utf8")) {
  for (const line of lines.take(String(piece))) obey(JSON.parse(line) as ToSender);
}
listening.to([]);
const ended = work.end();
if (absence) {
  const once = (job: NoticeJob) => work.once(job);
  await tellAbsence(absence, { spool, tools, once, daemon: daemonNow, monotonic: () => performance.now() }).catch(
    (error: unknown) => void process.stderr.write(`the daemon's absence was not told: ${String(error)}\n`),
  );
}
await ended;
lock.release();
process.exit(0);

function obey(message: ToSender): void {
  if (message.kind === "hand") work.add(message.job);
  else if (message.kind === "forget") spool.forget(message.job);
  else if (message.kind === "expect") absence = message.absence;
  else if (message.kind === "listen") listening.to(message.channels);
  else {
    replies.get(message.tap)?.(message.words);
    replies.delete(message.tap);
  }
}

/** The file beside its lock names a daemon until that stops by itself. That of this sender is gone, even if nobody reaps it. */
function daemonNow(): "gone" | "there" | "stopped" {
  const pid = holderOf(daemonLock);
  if (pid === undefined) return "stopped";
  return pid !== daemonPid && isRunning(Number(pid)) ? "there" : "gone";
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** There is one sender at a time. That of an earlier daemon ends what it has begun, which its limits bound. */
async function lockOf(own: Spool) {
  const path = `${folder}/sender.lock`;
  for (let left = maxWaitMs; ; left -= lookEveryMs) {
    try {
      const taken = takeLock(path);
      own.want(false);
      return taken;
    } catch (error) {
      if (left <= 0) throw error;
      own.want(true);
      await delay(lookEveryMs);
    }
  }
}
