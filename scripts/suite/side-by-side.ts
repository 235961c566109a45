/** Does something with each value, `width` of them at a time, in their order; the answers keep that order. */
export async function sideBySide<Value, Result>(
  values: readonly Value[],
  width: number,
  act: (value: Value) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = values.entries();
  const worker = async () => {
    for (const [at, value] of left) results[at] = await act(value);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
