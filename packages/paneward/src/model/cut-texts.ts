/** A text of at most so many characters; what is left out is counted in its place. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
  return `${kept}… (${text.length - kept.length} more characters)`;
}

/** The same value with every text in it cut; itself if there is nothing to cut. */
export function cutTexts<Value>(value: Value, max: number): Value {
  if (typeof value === "string") return cutText(value, max) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => cutTexts(one, max)) as Value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cutTexts(inner, max)])) as Value;
}
