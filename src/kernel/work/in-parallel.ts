// Processes the items of a stream with limited concurrency. The first failure ends the work.

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

/** Yields the results in the order of the items. Processes and holds at most `most` items at a time. */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  most: number,
  work: (item: Item) => Promise<Result>,
): AsyncIterable<Result> {
  const started: Promise<Result>[] = [];
  for await (const item of items) {
    const result = work(item);
    // Avoids an unhandled rejection. The failure is thrown when the result is awaited below.
    result.catch(() => undefined);
    started.push(result);
    const first = started.length < most ? undefined : started.shift();
    if (first !== undefined) yield await first;
  }
  for (const result of started) yield await result;
}
