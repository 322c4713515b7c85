// Bytes in memory by name, up to a total. Those that were not used for the longest time make room.

type ByteCache = {
  get(name: string): Buffer | undefined;
  keep(name: string, bytes: Buffer): void;
};

export function createByteCache(mostBytes: number): ByteCache {
  /** Least recently used first. */
  const cache = new Map<string, Buffer>();
  let total = 0;
  const evict = (name: string, bytes: Buffer) => {
    cache.delete(name);
    total -= bytes.length;
  };
  const keep = (name: string, bytes: Buffer) => {
    const before = cache.get(name);
    if (before !== undefined) evict(name, before);
    cache.set(name, bytes);
    total += bytes.length;
    for (const [oldest, content] of cache) {
      if (total <= mostBytes) break;
      evict(oldest, content);
    }
  };
  return {
    keep,
    get: (name) => {
      const bytes = cache.get(name);
      if (bytes !== undefined) keep(name, bytes);
      return bytes;
    },
  };
}
