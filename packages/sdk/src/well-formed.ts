/**
 * The same value with U+FFFD for each half of a surrogate pair in its texts, as bytes would have it; itself if there is none.
 * JSON writes such a half as `\ud800`, which many readers refuse: one in a name, or where a text was cut, would cost
 * programs in other languages a whole list, and a model its answer.
 */
export function wellFormed<Value>(value: Value): Value {
  if (typeof value === "string") return value.toWellFormed() as Value;
  if (typeof value !== "object" || value === null) return value;
  if (isGood(value)) return value;
  if (Array.isArray(value)) return value.map(wellFormed) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]),
  ) as Value;
}

function isGood(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isGood);
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isGood(inner));
}
