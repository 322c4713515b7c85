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
