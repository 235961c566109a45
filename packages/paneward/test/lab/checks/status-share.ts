/** A status from this date on; undefined where nobody but the agent can know it. */
export interface Truth {
  readonly at: number;
  readonly status: string | undefined;
}

export interface Sample {
  readonly at: number;
  readonly status: string;
}

export interface Share {
  readonly right: number;
  readonly of: number;
  /** What was told instead, how often. */
  readonly wrong: Readonly<Record<string, number>>;
}

/** How many samples tell the truth. Those within `graceMs` after a change of the truth are late, and are left out. */
export function shareOf(truths: readonly Truth[], samples: readonly Sample[], graceMs: number): Share {
  const wrong: Record<string, number> = {};
  let [right, of] = [0, 0];
  for (const { at, status } of samples) {
    const truth = truths.findLast((one) => one.at <= at);
    if (truth?.status === undefined || at - truth.at < graceMs) continue;
    of += 1;
    if (status === truth.status) right += 1;
    else wrong[`${status} for ${truth.status}`] = (wrong[`${status} for ${truth.status}`] ?? 0) + 1;
  }
  return { right, of, wrong };
}

/** How long after each change of the truth it was told; a change that was never told counts until the next one. */
export function delaysOf(truths: readonly Truth[], samples: readonly Sample[]): readonly number[] {
  return truths.flatMap((truth, index) => {
    const { at, status } = truth;
    if (status === undefined || status === truths[index - 1]?.status) return [];
    const next = truths[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const within = samples.filter((sample) => sample.at >= at && sample.at < next);
    const last = within.at(-1);
    if (last === undefined) return [];
    return [(within.find((sample) => sample.status === status) ?? last).at - at];
  });
}

/** Of each change that something else was told of after `graceMs`, until when: an agent that is late itself is told late. */
export function wrongSpans(truths: readonly Truth[], samples: readonly Sample[], graceMs: number): readonly string[] {
  return truths.flatMap((truth, index) => {
    if (truth.status === undefined) return [];
    const next = truths[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const last = samples.findLast(({ at, status }) => at - truth.at >= graceMs && at < next && status !== truth.status);
    return last ? [`${last.status} for ${truth.status} until ${last.at - truth.at} ms`] : [];
  });
}
