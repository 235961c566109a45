/**
 * Does in one go what is asked for in one turn of the event loop: each caller gets its own result. When it fails, it fails
 * for all of them.
 */
export function grouped<Item, Result>(
  work: (items: readonly Item[]) => readonly Result[],
  nextTurn: (begin: () => void) => void = setImmediate,
): (item: Item) => Promise<Result> {
  let group: { readonly items: Item[]; readonly results: Promise<readonly Result[]> } | undefined;
  const begin = () => {
    const items: Item[] = [];
    const results = new Promise<readonly Result[]>((resolve, reject) => {
      nextTurn(() => {
        group = undefined;
        try {
          resolve(work(items));
        } catch (error) {
          reject(error);
        }
      });
    });
    group = { items, results };
    return group;
  };
  return async (item) => {
    const { items, results } = group ?? begin();
    const place = items.push(item) - 1;
    return (await results)[place] as Result;
  };
}
