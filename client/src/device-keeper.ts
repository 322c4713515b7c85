// Keeps the device token. It tells the service that the user has signed in on this device before.
import type { Storage } from './storage.ts';

export type DeviceKeeper = {
  /** Headers of a call that takes a code, a link or a refresh token: none before the first sign-in on this device. */
  headers(): Promise<Record<string, string>>;
  /** Stores the device token of a response, if it has one. */
  keep(header: (name: string) => string | null): Promise<void>;
  /** Call this after the account was deleted. Signing out does not forget the device. */
  forget(): Promise<void>;
};

const name = 'device-token';

/** In cookie mode the browser stores the device token in a cookie, so this does nothing. */
export function createDeviceKeeper({
  storage,
  key,
  isCookie,
}: {
  storage: Storage;
  key: string;
  isCookie: boolean;
}): DeviceKeeper {
  return {
    headers: async () => {
      const token = isCookie ? undefined : await storage.get(key);
      return typeof token === 'string' ? { [name]: token } : {};
    },
    keep: async (header) => {
      const token = header(name);
      if (!isCookie && token !== null) await storage.set(key, token);
    },
    forget: async () => {
      if (!isCookie) await storage.remove(key);
    },
  };
}
