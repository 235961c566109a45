import { type ChildProcess, spawn } from "node:child_process";
import { extname, join } from "node:path";
import { Lines } from "@paneward/sdk";
import type { Absence, Log, NoticeJob, NoticeListener, NoticeSender } from "../runtime/ports.ts";
import { channelKind } from "./channels.ts";
import { Spool } from "./spool.ts";
import type { FromSender, ToSender } from "./wire.ts";

export interface SenderPlace {
  /** A private folder. */
  readonly folder: string;
  readonly tmuxSocket: string;
  /** The daemon's own lock: by it the sender sees whether there is a daemon. */
  readonly lock: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

/** The daemon's side of the sender's process. */
export function createNoticeSender({ folder, tmuxSocket, lock, env, log }: SenderPlace): NoticeSender {
  let spool: Spool | undefined;
  /** It reads what is written. What is handed to none was never begun, and is handed again to the next. */
  let child: ChildProcess | undefined;
  let starting: ChildProcess | undefined;
  let listener: NoticeListener | undefined;
  let isStopped = false;
  let expected: Absence | undefined;
  /** Why the buttons of channels cannot be heard. */
  const troubles = new Map<string, string>();
  const write = (message: ToSender) => void child?.stdin?.write(`${JSON.stringify(message)}\n`);
  // Read as soon as it has its turn: a daemon that dies before is missed, too.
  const expect = () => {
    const message: ToSender = { kind: "expect", ...(expected === undefined ? {} : { absence: expected }) };
    starting?.stdin?.write(`${JSON.stringify(message)}\n`);
  };
  const receive = (message: FromSender, ready: () => void) => {
    if (message.kind === "ready") ready();
    else if (message.kind === "done") listener?.done(message.job, message.outcome);
    else if (message.kind === "heard") {
      if (message.trouble === undefined) troubles.delete(message.channel);
      else troubles.set(message.channel, message.trouble);
    } else {
      const { tap, channel, capability } = message;
      listener?.tapped({ channel, tap: capability, reply: (words) => write({ kind: "reply", tap, words }) });
    }
  };
  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      // In a group of its own: what ends the daemon from its terminal must not end it.
      const begun = spawn(process.execPath, [...flags, main, folder, tmuxSocket, lock, String(process.pid)], {
        stdio: ["pipe", "pipe", "pipe"],
        detached: true,
        env: { ...env },
      });
      starting = begun;
      troubles.clear();
      let isReady = false;
      const ready = () => {
        isReady = true;
        child = begun;
        resolve();
      };
      begun.stdin?.on("error", () => {});
      expect();
      begun.stderr
        ?.setEncoding("utf8")
        .on("data", (text: string) => log.warn("the sender of notices reports", { text: text.slice(0, 2_000) }));
      const lines = new Lines(maxLine);
      begun.stdout?.setEncoding("utf8").on("data", (piece: string) => {
        for (const line of lines.take(piece)) receive(JSON.parse(line) as FromSender, ready);
      });
      begun.once("error", reject);
      begun.once("close", (code, signal) => {
        if (child === begun) child = undefined;
        if (isStopped) return;
        if (!isReady) return reject(new Error(`the sender of notices ended: ${signal ?? code}`));
        log.warn("the sender of notices ended by itself, and is started again", { code, signal });
        setTimeout(() => void restart(), restartMs).unref();
      });
      begun.unref();
    });
  const restart = async (): Promise<void> => {
    if (isStopped) return;
    try {
      await start();
      listener?.again();
    } catch (error) {
      log.error("the sender of notices does not start", { error: String(error) });
      setTimeout(() => void restart(), restartMs * 10).unref();
    }
  };
  return {
    traits: (kind) => channelKind(kind)?.traits,
    async begin(to) {
      listener = to;
      spool ??= new Spool(folder);
      spool.tidy(Date.now() - keptMs);
      await start();
    },
    fate: async (job) => spool?.fate(job) ?? { kind: "never_begun" },
    hand: (job: NoticeJob) => write({ kind: "hand", job }),
    forget: (job) => write({ kind: "forget", job }),
    listen(channels) {
      for (const name of troubles.keys()) if (!channels.some(({ channel }) => channel === name)) troubles.delete(name);
      write({ kind: "listen", channels });
    },
    trouble: (channel) => troubles.get(channel),
    expect(absence) {
      expected = absence;
      expect();
    },
    absence: async () => spool?.absence(),
    forgetAbsence: () => spool?.forgetAbsence(),
    stop() {
      isStopped = true;
      starting?.stdin?.end();
    },
  };
}

/** Without a build, Node runs the sources. */
const main = join(import.meta.dirname, `sender-main${extname(import.meta.filename)}`);

const flags = extname(main) === ".ts" ? ["--conditions=@paneward/source"] : [];

const restartMs = 1_000;
const maxLine = 1_048_576;
const keptMs = 7 * 24 * 3_600_000;
