import { PanewardError } from "@paneward/sdk";
import type { ServerSaid } from "../../model/agents/agent-server.ts";
import { besideLine } from "../../model/courier/beside-line.ts";
import { isGuarded } from "../../model/courier/submission.ts";
import { answeredSettlesMs, submittedBeforeMs } from "../../model/timing.ts";
import { wasReported } from "./acknowledge.ts";
import { type Beside, type DeliveryJob, sightBeforeTyping } from "./delivery-job.ts";

/**
 * Brings a prompt to the agent's own server and waits for a witness of its words. False when nothing of it reached the
 * agent, so that keys may bring it. That it is sent is on record before it is: a later daemon only looks for it.
 */
export async function giveBeside(job: DeliveryJob, beside: Beside): Promise<boolean> {
  if (beside.wasSent) job.submitting();
  const sent = beside.wasSent ? { doubt: "the daemon ended while it was sent" } : await send(job, beside);
  if (sent) await awaitWords(job, beside, sent.doubt);
  return sent !== undefined;
}

interface Sent {
  /** Why it is not certain that it arrived. */
  readonly doubt?: string;
}

async function send(job: DeliveryJob, beside: Beside): Promise<Sent | undefined> {
  const { wish } = job;
  for (;;) {
    const [found, facts] = await Promise.all([untilUnasked(job), beside.ready()]);
    if (found === "keys") return undefined;
    // What it said before a person answered may be over.
    if (found === "waited") continue;
    const seen = await sightBeforeTyping(job);
    const way = besideLine(seen, wish);
    if (way.kind === "held") continue;
    const { screen } = seen;
    const request = way.kind === "prompt" && facts && screen && beside.request(wish.text, { ...facts, screen });
    if (!request) return undefined;
    beside.goes("http");
    job.report("submitted", "over the agent's HTTP");
    job.submitting();
    const said = await beside.ask(request);
    if (!isRefused(said)) return said.kind === "said" && said.status < 300 ? {} : { doubt: why(said) };
    beside.goes("keys");
    job.report("queued", `the agent's HTTP did not take it, so it is typed: ${why(said)}`);
    return undefined;
  }
}

/** Waits while a dialog is open, and while a denial is just ending the turn. */
async function untilUnasked(job: DeliveryJob): Promise<"free" | "waited" | "keys"> {
  const { clock } = job;
  let held: string | undefined;
  let asked = false;
  let freeSince = clock.monotonic();
  for (let wait = 50; ; wait = Math.min(wait * 2, 1_000)) {
    const seen = await sightBeforeTyping(job);
    const way = besideLine(seen, job.wish);
    if (way.kind === "keys") return "keys";
    asked ||= isGuarded(seen);
    const isEnding = asked && seen.working === true && clock.monotonic() - freeSince < answeredSettlesMs;
    if (way.kind === "prompt" && !isEnding) return asked ? "waited" : "free";
    if (way.kind === "held") {
      freeSince = clock.monotonic();
      if (way.reason !== held) job.report("held", way.reason, way.release);
      held = way.reason;
    }
    await job.pause(wait);
  }
}

/** Certainly not taken: nothing was sent, or the agent said so. */
function isRefused(said: ServerSaid): boolean {
  return said.kind === "unreached" || (said.kind === "said" && said.status >= 400 && said.status < 500);
}

function why(said: ServerSaid): string {
  return said.kind === "said" ? `it answered ${said.status}` : said.reason;
}

async function awaitWords(job: DeliveryJob, beside: Beside, doubt: string | undefined): Promise<void> {
  const { clock } = job;
  const began = clock.monotonic();
  const limit = beside.wasSent ? submittedBeforeMs : job.witnessMs;
  try {
    for (let wait = 20; clock.monotonic() - began < limit; wait = Math.min(wait * 2, 250)) {
      if (doubt !== undefined && job.reportedBy() === undefined) await beside.recall();
      if (wasReported(job)) return;
      job.check();
      await job.pause(wait);
    }
    await beside.recall();
    if (wasReported(job)) return;
    job.report("unknown", doubt ?? "the agent's HTTP took it, and nothing says that it was given");
  } catch (error) {
    const hasEnded = error instanceof PanewardError && error.code === "wrong_state";
    if (!hasEnded) throw error;
    if (!wasReported(job))
      job.report("unknown", "the program ended after it was sent, and nothing says that it took this");
  }
}
