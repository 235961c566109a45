import { afterAttempt } from "../model/notify/attempts.ts";
import type { Outcome } from "../model/notify/message.ts";
import type { Send } from "../model/notify/notice.ts";
import { minuteIn, quietUntil } from "../model/notify/quiet.ts";
import type { Absence, NoticeJob } from "../runtime/ports.ts";
import type { Tools } from "./channel.ts";
import { channelKind } from "./channels.ts";
import type { Spool } from "./spool.ts";

export interface AbsencePorts {
  readonly spool: Pick<Spool, "absence" | "keepAbsence" | "isWanted">;
  readonly tools: Pick<Tools, "now" | "sleep">;
  readonly once: (job: NoticeJob) => Promise<Outcome>;
  /** `there`: one runs, and may be starting. `stopped`: it was meant to end. */
  readonly daemon: () => "gone" | "there" | "stopped";
  readonly monotonic: () => number;
}

/**
 * Tells that the daemon is gone once that has lasted, and each channel once, whatever is killed meanwhile: what may have been
 * sent is stored before it is. Ends as soon as a successor wants to begin; the daemon then reads what was told. See
 * docs/decisions/0065-a-daemon-that-is-missed.md.
 */
export async function tellAbsence({ tag, afterMs, quiet, zone, sends }: Absence, ports: AbsencePorts): Promise<void> {
  const { spool, tools, once } = ports;
  if (!(await lasts(afterMs, ports))) return;
  const minute = () => minuteIn(tools.now(), zone);
  while (quietUntil(quiet, { at: 0, minute: minute() }) !== undefined) if (!(await lasts(tickMs, ports))) return;
  // A daemon that came back for a moment read nothing: people know already.
  if (spool.absence()) return;
  const at = tools.now();
  const now = new Map<string, Send>(
    sends.map(({ to, job }) => [to, { to, kind: job.kind, state: "queued", attempts: 0, at }]),
  );
  const keep = (send: Send) => {
    now.set(send.to, send);
    spool.keepAbsence({ tag, at, sends: [...now.values()] });
    return send;
  };
  const tell = async ({ to, job }: Absence["sends"][number]) => {
    const isIdempotent = channelKind(job.kind)?.traits.idempotent === true;
    for (let send = now.get(to); send?.state === "queued"; ) {
      const pauseMs = (send.nextAt ?? 0) - send.at;
      if (pauseMs > 0 && !(await lasts(pauseMs, ports))) return;
      const handed = keep({ ...send, state: "handed", attempts: send.attempts + 1 });
      const outcome = await once({ ...job, message: { ...job.message, at } });
      send = keep(afterAttempt(handed, outcome, tools.now(), isIdempotent));
    }
  };
  await Promise.all(sends.map(tell));
}

/**
 * Whether the daemon stays away for so long. Counted in ticks: while the machine sleeps there are none, and some clocks go on.
 */
async function lasts(ms: number, { spool, tools, daemon, monotonic }: AbsencePorts): Promise<boolean> {
  let left = ms;
  let thereMs = 0;
  while (left > 0) {
    const before = monotonic();
    await tools.sleep(Math.min(tickMs, left));
    const passed = Math.min(monotonic() - before, 2 * tickMs);
    const found = daemon();
    if (found === "stopped" || spool.isWanted) return false;
    // One that dies while it starts has not come back.
    if (found === "gone") left -= passed;
    else thereMs += passed;
    if (thereMs > settledMs) return false;
  }
  return true;
}

const tickMs = 500;
/** A daemon that runs for so long and wants no sender has no channels any more. */
const settledMs = 120_000;
