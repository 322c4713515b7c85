// What shows the service that whoever gives a code asked for it: kept from the send to the sign-in, so that strangers who guess cost nobody attempts.
import type { Storage } from './storage.ts';

export type AskKeeper = {
  /** For a send, so that its answer brings the token in a header. */
  readonly wish: Readonly<Record<string, string>>;
  /** Told the headers of the answer to a send. */
  keep(header: (name: string) => string | null): Promise<void>;
  headers(): Promise<Record<string, string>>;
  /** Once the code was right. */
  forget(): Promise<void>;
};

const name = 'ask-token';

/** In cookie mode the browser does all of it. */
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
    wish: isCookie ? {} : { [name]: 'new' },
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
