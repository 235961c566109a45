import type { TestContext } from "node:test";
import { amount } from "./amount.ts";

export interface Random {
  /** From 0 up to, not including, `limit`. */
  readonly below: (limit: number) => number;
  readonly pick: <Value>(values: readonly Value[]) => Value;
}

/** Numbers for one test, which prints their seed: PANEWARD_SEED, or else `usual`, which is a new one each time. */
export function random(t: Pick<TestContext, "diagnostic">, usual = newSeed()): Random {
  const seed = givenSeed() ?? usual;
  t.diagnostic(`PANEWARD_SEED=${seed}`);
  return seeded(seed);
}

/** Runs `check` on many random cases. A failure names the seed; PANEWARD_SEED=… repeats that one case. */
export async function fuzz(
  check: (random: Random) => void | Promise<void>,
  cases = amount(10_000, 1_000_000),
): Promise<void> {
  const repeated = givenSeed();
  const first = repeated ?? newSeed();
  for (let seed = first; seed < first + (repeated === undefined ? cases : 1); seed++) {
    try {
      const checked = check(seeded(seed));
      if (checked) await checked;
    } catch (cause) {
      throw new Error(`failed with PANEWARD_SEED=${seed}: ${(cause as Error).message}`, { cause });
    }
  }
}

/** Text made of what breaks quoting: shell and tmux syntax, control characters, all planes of Unicode. */
export function hostileText({ below, pick }: Random, maxLength = 24): string {
  const generators = [
    () => pick([..."'\"$~#;{}%\\`!&|<>()[]*?=-^@:,. \t\n\r"]),
    () =>
      pick(["#{pane_id}", "#(id)", "#[fg=red]", "##", "%Y", "%end 1 2 1", "$HOME", "\\;", ";", "--", "\\012", "~/"]),
    () => String.fromCharCode(1 + below(127)),
    () => pick(["é", "ß", "日本", "🙂", "👩‍👩‍👧", "e\u0301", "\u0085", "\ufeff", "\u2028", "\ue000"]),
    () => String.fromCodePoint(pick([0x80 + below(0x700), 0xe000 + below(0x1fff), 0x1_0000 + below(0x10_0000)])),
    () => pick(["a", "B", "7", "_"]),
  ];
  return Array.from({ length: below(maxLength) + 1 }, () => pick(generators)()).join("");
}

function givenSeed(): number | undefined {
  const given = process.env.PANEWARD_SEED;
  if (given === undefined) return undefined;
  if (!/^\d+$/.test(given)) throw new Error(`PANEWARD_SEED is a whole number, not ${given}`);
  return Number(given);
}

function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}

// The same numbers for the same seed (mulberry32).
function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (values) => values[below(values.length)] as (typeof values)[number] };
}
