/** Whether the first version comes after the second, by the rules of semver. */
export function isNewer(one: string, other: string): boolean {
  const [first, second] = [parts(one), parts(other)];
  for (const at of [0, 1, 2] as const) {
    const difference = (first.numbers[at] ?? 0) - (second.numbers[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return isLaterPre(first.pre, second.pre);
}

function parts(version: string): { readonly numbers: readonly number[]; readonly pre: readonly string[] } {
  const [whole = "", ...pre] = version.replace(/\+.*$/, "").split("-");
  return { numbers: whole.split(".").map(Number), pre: pre.length === 0 ? [] : pre.join("-").split(".") };
}

// 1.0.0-rc.1 comes before 1.0.0, and a number before a word.
function isLaterPre(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return one.length === 0 && other.length > 0;
  for (const [at, part] of one.entries()) {
    const against = other[at];
    if (against === undefined) return true;
    if (part === against) continue;
    const [number, againstNumber] = [Number(part), Number(against)];
    if (Number.isNaN(number) !== Number.isNaN(againstNumber)) return Number.isNaN(number);
    return Number.isNaN(number) ? part > against : number > againstNumber;
  }
  return false;
}
