// Storage of the client between calls: in memory, in the browser, or supplied by the app.

/** Stores one text per key. Each of the three functions may be synchronous or return a promise. */
export type Storage = {
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  set(key: string, value: string): unknown;
  remove(key: string): unknown;
};

/**
 * Keeps the tokens in memory: a reload of the page or a restart of the process signs the user out.
 * @example
 * const gatehouse = createGatehouse({ url: 'https://id.example.com', mode: 'header', storage: memoryStorage() });
 */
export function memoryStorage(): Storage {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => values.set(key, value),
    remove: (key) => values.delete(key),
  };
}

/**
 * Keeps the tokens in localStorage: all tabs share them, and they survive a reload. Every script of the page can read them.
 * In memory where the browser blocks localStorage, and on a server.
 * @example
 * const gatehouse = createGatehouse({ url: 'https://id.example.com', mode: 'header', storage: browserStorage() });
 */
export function browserStorage(): Storage {
  if (!isOpen()) return memoryStorage();
  return {
    get: (key) => localStorage.getItem(key),
    set: (key, value) => localStorage.setItem(key, value),
    remove: (key) => localStorage.removeItem(key),
  };
}

/** Returns false outside browsers, and where the browser blocks localStorage. */
export function hasBrowserStorage(): boolean {
  return typeof document === 'object' && isOpen();
}

/** In private windows and sandboxes the access itself throws. */
function isOpen(): boolean {
  try {
    return typeof localStorage === 'object' && localStorage !== null;
  } catch {
    return false;
  }
}
