// Stands before the storage of the app, which may be full, blocked or broken: what it does not take stays in memory.
import { GatehouseError } from './gatehouse-error.ts';
import type { Storage } from './storage.ts';

/** What the storage did not take, and what it held instead. `value` is undefined if it was to be removed. */
type Held = { readonly value: string | undefined; instead: string | undefined; isKnown: boolean };

/**
 * A failed write fails no call: the service has already changed the tokens, and they would be lost. The value counts until the storage holds
 * something else than at that time, because another tab may write newer tokens. A failed read fails: nobody knows who is signed in.
 */
export function guardStorage(storage: Storage, onError: (error: GatehouseError) => void = () => undefined): Storage {
  const held = new Map<string, Held>();
  const read = async (key: string) => (await storage.get(key)) ?? undefined;
  const tell = (error: GatehouseError) => {
    try {
      onError(error);
    } catch {
      // The callback of the app must not fail the call.
    }
  };
  const write = async (key: string, value: string | undefined) => {
    try {
      await (value === undefined ? storage.remove(key) : storage.set(key, value));
      held.delete(key);
    } catch (cause) {
      // After a reload, the tokens before would be those of an earlier user, or used up. A storage that is full can still remove.
      if (value !== undefined) await (async () => storage.remove(key))().catch(() => undefined);
      const before = await read(key).then(
        (instead) => ({ instead, isKnown: true }),
        () => ({ instead: undefined, isKnown: false }),
      );
      held.set(key, { value, ...before });
      const what = value === undefined ? 'removed' : 'stored';
      tell(failed(`The session could not be ${what}. What changed ends when this page is closed.`, cause));
    }
  };
  return {
    get: async (key) => {
      const own = held.get(key);
      try {
        const current = await read(key);
        if (own === undefined) return current;
        if (!own.isKnown) Object.assign(own, { instead: current, isKnown: true });
        if (own.instead === current) return own.value;
        held.delete(key);
        return current;
      } catch (cause) {
        if (own !== undefined) return own.value;
        throw failed('The storage of the session cannot be read.', cause);
      }
    },
    set: write,
    remove: (key) => write(key, undefined),
  };
}

function failed(message: string, cause: unknown): GatehouseError {
  return new GatehouseError({ code: 'SESSION_STORAGE_FAILED', message, cause });
}
