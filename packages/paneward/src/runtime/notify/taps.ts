import { PanewardError } from "@paneward/sdk";
import { type NoticeRecord, type Send, type TapRecord, withSend } from "../../model/notify/notice.ts";
import { channelOf } from "../../model/notify/schedule.ts";
import { judgeTap } from "../../model/notify/taps.ts";
import { hashOf } from "../access/tokens.ts";
import type { Caller, Handlers } from "../calls.ts";
import type { World } from "../world.ts";

export interface TapDeps extends Pick<World, "clock" | "log" | "store"> {
  readonly respond: Handlers["respond"];
  /** The question was not answered: it is shown again, with these words and new buttons. */
  readonly renew: (question: string, words: string) => void;
}

export interface TapAnswer {
  readonly answered: boolean;
  /** For the person who pressed the button. */
  readonly words: string;
}

/** Gives the answer of a button. The capability is all that the caller needs, and all that it may do. */
export async function answerTap(deps: TapDeps, capability: string): Promise<TapAnswer> {
  const { store, clock } = deps;
  const verdict = judgeTap(
    {
      notices: store.notices(),
      questions: (id) => store.question(id),
      hashShown: hashOf,
      at: clock.monotonic(),
    },
    hashOf(capability),
  );
  if (verdict.kind === "refused") {
    const { words, of, waits } = verdict;
    if (of) record(deps, of.notice, of.send, { answered: false, words });
    if (of && waits) {
      // Used up, so that pressing it repeatedly shows nothing again.
      store.write((writer) => writer.putNotice(withTaps(of.notice, (tap) => tap.hash === of.tap.hash)));
      deps.renew(of.tap.question, `Not answered: ${words}`);
    }
    return { answered: false, words };
  }
  const { notice, send, tap } = verdict;
  const used = withTaps(notice, () => true);
  // Stored first: the capability is used up, also if the daemon is killed before the answer arrives.
  store.write((writer) => writer.putNotice(used));
  const answer = await give(deps, send, tap);
  record(deps, used, send, answer);
  if (!answer.answered) deps.renew(tap.question, answer.words);
  return answer;
}

/** The notice with some of its buttons used up. */
function withTaps(notice: NoticeRecord, isUsed: (tap: TapRecord) => boolean): NoticeRecord {
  const used = (tap: TapRecord): TapRecord => (isUsed(tap) ? { ...tap, used: true } : tap);
  return notice.sends.reduce(
    (now, send) => (send.taps ? withSend(now, { ...send, taps: send.taps.map(used) }) : now),
    notice,
  );
}

async function give(deps: TapDeps, send: Send, tap: TapRecord): Promise<TapAnswer> {
  const { store, log } = deps;
  const question = store.question(tap.question);
  const label = question?.options.find(({ number }) => number === tap.option)?.label ?? String(tap.option);
  const input = {
    ...{ id: question?.terminal ?? "", question: tap.question, option: tap.option },
    idempotency_key: `tap ${tap.hash.slice(0, 32)}`,
  };
  try {
    const { status } = await deps.respond(input, callerOf(send));
    await store.settled();
    return {
      answered: true,
      words: status === "queued" ? `${label}: is given as soon as possible` : `Answered: ${label}`,
    };
  } catch (error) {
    if (!(error instanceof PanewardError)) log.error("a button failed unexpectedly", { error: String(error) });
    const why = error instanceof PanewardError ? error.message : "the daemon failed unexpectedly";
    return { answered: false, words: `Not answered: ${why}` };
  }
}

function callerOf(send: Send): Caller {
  return { who: `channel:${channelOf(send.to)}`, scope: "approve", door: send.kind };
}

function record(
  { store, clock, log }: TapDeps,
  notice: NoticeRecord,
  send: Send,
  { answered, words }: TapAnswer,
): void {
  const { fact, id } = notice;
  const { task, terminal } = fact.subject;
  const { who, door } = callerOf(send);
  const of = {
    ...{ notice: id, kind: fact.kind, channel: channelOf(send.to) },
    ...(task === undefined ? {} : { task }),
    ...(terminal === undefined ? {} : { terminal }),
    ...(fact.question === undefined ? {} : { question: fact.question }),
  };
  try {
    store.keep((writer) => {
      writer.append("notice_tapped", { ...of, outcome: answered ? "answered" : "refused", words });
      const subject = String(task ?? terminal ?? fact.subject.name);
      writer.audit({ at: clock.now(), who, door, operation: "respond", subject, outcome: answered ? "ok" : words });
    });
  } catch (error) {
    log.error("a tap could not be recorded", { notice: id, error: String(error) });
  }
}
