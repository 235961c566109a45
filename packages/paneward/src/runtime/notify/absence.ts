import { randomBytes } from "node:crypto";
import type { Fact, NoticeRecord } from "../../model/notify/notice.ts";
import { routeOf } from "../../model/notify/rules.ts";
import type { Absence, NoticeSender } from "../ports.ts";
import { wallTime } from "../steady-time.ts";
import type { World } from "../world.ts";
import type { NotifyChannels } from "./channels.ts";
import { jobOf } from "./job.ts";

export interface AbsenceDeps extends Pick<World, "clock"> {
  readonly sender: Pick<NoticeSender, "traits" | "expect">;
  readonly channels: NotifyChannels;
}

const of = { key: "daemon", kind: "away", subject: { name: "Paneward's daemon" } } as const;

export const daemonIsAway: Fact = {
  ...of,
  words: "is away; programs keep running, but nothing is watched: paneward up",
};

export const daemonWasAway: Fact = { ...of, words: "did not stop by itself, and is back; programs kept running" };

/** Gives the sender in advance what it tells if the daemon is gone; again whenever that is something else. */
export class AbsenceInAdvance {
  readonly #deps: AbsenceDeps;
  #given = "";

  constructor(deps: AbsenceDeps) {
    this.#deps = deps;
  }

  give(): void {
    const absence = absenceOf(this.#deps);
    const now = absence === undefined ? "" : comparable(absence);
    if (now === this.#given) return;
    this.#given = now;
    this.#deps.sender.expect(absence);
  }
}

/** Undefined: nobody is to be told. */
function absenceOf({ channels, sender, clock }: AbsenceDeps): Absence | undefined {
  const { config } = channels;
  const route = config && routeOf(config, daemonIsAway);
  if (!config || !route) return undefined;
  const at = clock.monotonic();
  const tag = randomBytes(12).toString("base64url");
  const notice: NoticeRecord = {
    ...{ id: "away", tag, fact: daemonIsAway, at, state: "told", why: "it did not come back", sends: [] },
  };
  const sends = route.channels.flatMap((name) => {
    const channel = channels.channel(name);
    const traits = channel && sender.traits(channel.kind);
    if (!channel || !traits) return [];
    return channels.destinations(name).map(({ to, kind }) => {
      const address = channels.address(to);
      const { job } = jobOf(
        notice,
        { to, kind, state: "queued", attempts: 0, at },
        {
          ...{ notice: () => undefined, question: () => undefined, channel, traits, at },
          ...(address === undefined ? {} : { address: address.address, mayAnswer: false }),
          ...(config.url === undefined ? {} : { url: config.url }),
          wallTime: (time) => wallTime(clock, time),
        },
      );
      return { to, job };
    });
  });
  if (sends.length === 0) return undefined;
  return {
    ...{ tag, sends, quiet: route.quiet, afterMs: Math.max(config.away_seconds * 1_000, route.dwellMs) },
    ...(config.time_zone === undefined ? {} : { zone: config.time_zone }),
  };
}

/** Without what is another each time. */
function comparable({ sends, tag: _tag, ...rest }: Absence): string {
  const given = sends.map(({ to, job: { id: _id, message, ...job } }) => {
    const { tag: _tag, at: _at, ...words } = message;
    return { to, job, words };
  });
  return JSON.stringify({ ...rest, given });
}
