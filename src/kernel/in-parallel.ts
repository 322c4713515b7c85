// Works on items as they come, a few at a time; the first failure ends it.

export async function inParallel<Item>(
  items: AsyncIterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const source = items[Symbol.asyncIterator]();
  let hasFailed = false;
  const lane = async () => {
    for (;;) {
      const next = await source.next();
      if (next.done === true || hasFailed) return;
      await work(next.value);
    }
  };
  try {
    await Promise.all(Array.from({ length: most }, lane));
  } catch (error) {
    hasFailed = true;
    throw error;
  }
}

/** The results in the order of the items, however long each takes; a few are worked on at a time, and never more are held. */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  most: number,
  work: (item: Item) => Promise<Result>,
): AsyncIterable<Result> {
  const begun: Promise<Result>[] = [];
  for await (const item of items) {
    const result = work(item);
    // Whoever comes to it hears of its failure.
    result.catch(() => undefined);
    begun.push(result);
    const first = begun.length < most ? undefined : begun.shift();
    if (first !== undefined) yield await first;
  }
  for (const result of begun) yield await result;
}
