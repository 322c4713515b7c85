// One at a time: within the tab, and among all tabs where they share a session.
import { newKey } from './new-key.ts';

export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

/** `name` is undefined where nobody else shares the session. */
export function createTabLock(name: string | undefined): Lock {
  if (name === undefined) return createQueue();
  if (typeof navigator === 'object' && navigator.locks !== undefined) {
    return async (work) => {
      const since = Date.now();
      return await navigator.locks.request(name, async () => {
        // What the tab before has written may take a moment to be seen here.
        if (Date.now() - since > noticeableMilliseconds) await pause();
        return work();
      });
    };
  }
  return createLease(name);
}

function createQueue(): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

const noticeableMilliseconds = 3;
const leaseMilliseconds = 30_000;
const longestWaitMilliseconds = 10_000;
const pauseMilliseconds = 40;

/**
 * For pages without Web Locks (plain http). A note in localStorage is no perfect lock; where it fails, two tabs renew with
 * the same refresh token and are given the same successor.
 */
function createLease(name: string): Lock {
  const key = `${name}:lock`;
  const owner = newKey();
  const queue = createQueue();
  const holder = (): [owner: string, until: number] => {
    const [who = '', until = '0'] = (localStorage.getItem(key) ?? '').split(' ');
    return [who, Number(until)];
  };
  const take = async (): Promise<boolean> => {
    const [who, until] = holder();
    if (who !== '' && who !== owner && until > Date.now()) return false;
    localStorage.setItem(key, `${owner} ${Date.now() + leaseMilliseconds}`);
    await pause();
    return holder()[0] === owner;
  };
  return (work) =>
    queue(async () => {
      const giveUpAt = Date.now() + longestWaitMilliseconds;
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
