// Where the client keeps what it must remember between calls: in memory, in the browser, or wherever an app wants.

/** One text under one key; each of the three may answer at once or later. */
export type Storage = {
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  set(key: string, value: string): unknown;
  remove(key: string): unknown;
};

/** Lives as long as the page or process. */
export function memoryStorage(): Storage {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => values.set(key, value),
    remove: (key) => values.delete(key),
  };
}

/** Shared by all tabs and kept when they close. In header mode every script of the page can read the tokens in it. */
export function browserStorage(): Storage {
  return {
    get: (key) => localStorage.getItem(key),
    set: (key, value) => localStorage.setItem(key, value),
    remove: (key) => localStorage.removeItem(key),
  };
}

/** False in private windows and sandboxes where touching it throws, and outside browsers. */
export function hasBrowserStorage(): boolean {
  try {
    return typeof document === 'object' && typeof localStorage === 'object' && localStorage !== null;
  } catch {
    return false;
  }
}
