// Keeps the ask token from the code request until sign-in. It proves that this client requested the code.
import type { Storage } from './storage.ts';

export type AskKeeper = {
  /** Headers of a code request. They ask the service to return an ask token. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Stores the ask token from the response to a code request. */
  keep(header: (name: string) => string | null): Promise<void>;
  /** Headers of a request that sends a code. With them, wrong codes from other clients do not use up the user's attempts. */
  headers(): Promise<Record<string, string>>;
  /** Call this after the service has accepted the code. */
  forget(): Promise<void>;
};

const name = 'ask-token';

/** In cookie mode the browser stores the ask token in a cookie, so this does nothing. */
export function createAskKeeper({
  storage,
  key,
  isCookie,
}: {
  storage: Storage;
  key: string;
  isCookie: boolean;
}): AskKeeper {
  return {
    requestHeaders: isCookie ? {} : { [name]: 'new' },
    keep: async (header) => {
      const token = header(name);
      if (!isCookie && token !== null) await storage.set(key, token);
    },
    headers: async () => {
      const token = isCookie ? undefined : await storage.get(key);
      return typeof token === 'string' && token !== '' ? { [name]: token } : {};
    },
    forget: async () => {
      if (!isCookie) await storage.remove(key);
    },
  };
}
