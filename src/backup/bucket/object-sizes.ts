// The sizes of the objects of a bucket by key: more than one map can hold.

export type ObjectSizes = {
  get(key: string): number | undefined;
  set(key: string, size: number): void;
};

/** A map takes 16.7 million entries. Keys end in a keyed hash, so its last two digits share them out evenly. */
const shards = 256;

export function createObjectSizes(): ObjectSizes {
  const maps = Array.from({ length: shards }, () => new Map<string, number>());
  const mapOf = (key: string) => maps[Number.parseInt(key.slice(-2), 16)];
  return {
    get: (key) => mapOf(key)?.get(key),
    set: (key, size) => void mapOf(key)?.set(key, size),
  };
}
