// Runs one task at a time: within the tab, and across all tabs that share a session.
import { newKey } from './new-key.ts';

export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

/** Pass undefined as `name` if no other tab shares the session. */
export function createTabLock(name: string | undefined): Lock {
  if (name === undefined) return createQueue();
  if (typeof navigator === 'object' && navigator.locks !== undefined) {
    return async (work) => {
      const requestedAt = Date.now();
      return await navigator.locks.request(name, async () => {
        // If this tab had to wait, the storage writes of the previous tab may take a moment to become visible here.
        if (Date.now() - requestedAt > noWaitMilliseconds) await pause();
        return work();
      });
    };
  }
  return createLease(name);
}

function createQueue(): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

const noWaitMilliseconds = 3;
const leaseMilliseconds = 30_000;
const maxWaitMilliseconds = 10_000;
const pauseMilliseconds = 40;

/**
 * A lease in localStorage, for pages without Web Locks (plain http). It is not a perfect lock. If it fails, two tabs renew
 * with the same refresh token, and the service gives both the same new tokens.
 */
function createLease(name: string): Lock {
  const key = `${name}:lock`;
  const owner = newKey();
  const queue = createQueue();
  const holder = (): [owner: string, until: number] => {
    const [current = '', until = '0'] = (localStorage.getItem(key) ?? '').split(' ');
    return [current, Number(until)];
  };
  const take = async (): Promise<boolean> => {
    const [current, until] = holder();
    if (current !== '' && current !== owner && until > Date.now()) return false;
    try {
      localStorage.setItem(key, `${owner} ${Date.now() + leaseMilliseconds}`);
    } catch {
      // It is full. Without a lease is better than not at all.
      return true;
    }
    await pause();
    return holder()[0] === owner;
  };
  return (work) =>
    queue(async () => {
      const giveUpAt = Date.now() + maxWaitMilliseconds;
      while (!(await take()) && Date.now() < giveUpAt) await pause();
      try {
        return await work();
      } finally {
        if (holder()[0] === owner) localStorage.removeItem(key);
      }
    });
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseMilliseconds * (0.5 + Math.random())));
}
