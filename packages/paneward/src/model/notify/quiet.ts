/** A moment: monotonic milliseconds, and the minute of the day where the person is. */
export interface Moment {
  readonly at: number;
  readonly minute: number;
}

/** When the quiet hours that hold now are over; undefined if none do. `22:00-07:30` goes past midnight. */
export function quietUntil(hours: readonly string[], now: Moment): number | undefined {
  const ends = hours.flatMap((one) => {
    const [from = 0, to = 0] = one.split("-").map(minuteOf);
    const isIn = from < to ? now.minute >= from && now.minute < to : now.minute >= from || now.minute < to;
    return isIn && from !== to ? [now.at + ((to - now.minute + day) % day) * 60_000] : [];
  });
  return ends.length === 0 ? undefined : Math.max(...ends);
}

const day = 24 * 60;

/** The minute of the day in a time zone; without one, where the daemon runs. */
export function minuteIn(wall: number, zone: string | undefined): number {
  const parts = new Intl.DateTimeFormat("en", {
    ...{ hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" },
    ...(zone === undefined ? {} : { timeZone: zone }),
  }).formatToParts(wall);
  const [hour = 0, minute = 0, second = 0] = parts.flatMap(({ type, value }) =>
    type === "hour" || type === "minute" || type === "second" ? [Number(value)] : [],
  );
  return hour * 60 + minute + second / 60;
}

function minuteOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
}
