/** How many at a time. */
export interface Width {
  /** Always so many. */
  readonly least: number;
  /** Up to so many, while there is room for one more. */
  readonly most: number;
  /** Asked several times a second. */
  hasRoom(): boolean;
}

export const oneByOne: Width = { least: 1, most: 1, hasRoom: () => false };

/** Does something with each value, begun in their order; the answers keep that order. */
export async function sideBySide<Value, Result>(
  values: readonly Value[],
  { least, most, hasRoom }: Width,
  act: (value: Value) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = values.entries();
  const one = async (): Promise<boolean> => {
    const next = left.next();
    if (next.done) return false;
    const [at, value] = next.value;
    results[at] = await act(value);
    return true;
  };
  const worker = async () => {
    while (await one());
  };
  const extra = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  const timer = setInterval(() => {
    if (!hasRoom() || extra.size >= most - least) return;
    const begun: Promise<unknown> = one()
      .catch((error: unknown) => failures.push(error))
      .finally(() => extra.delete(begun));
    extra.add(begun);
  }, askEveryMs);
  try {
    await Promise.all(Array.from({ length: least }, worker));
  } finally {
    clearInterval(timer);
    await Promise.all(extra);
  }
  if (failures.length > 0) throw failures[0];
  return results;
}

const askEveryMs = 250;
