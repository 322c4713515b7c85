// Loads what a view shows, and tries again by itself until the service answers.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { GatehouseError } from '../../client/src/gatehouse-error.ts';
import { mayPass } from './may-pass.ts';
import { useLate } from './use-late.ts';
import { useTask } from './use-task.ts';

export type Loading = {
  readonly isBusy: boolean;
  /** Why the last attempt failed. It stays until the next result. */
  readonly error: GatehouseError | undefined;
  readonly message: string | undefined;
  /** Nothing has been loaded yet, and it takes long. */
  readonly isLate: boolean;
  readonly load: () => void;
};

const firstPauseMilliseconds = 2000;
const longestPauseMilliseconds = 30_000;

/** What is asked for while it loads is loaded again afterwards, so that the view does not stay behind a change. */
export function useLoading(work: () => Promise<void>, offline: string): Loading {
  const { isBusy, error, message, run } = useTask(offline);
  const [isLoaded, setLoaded] = useState(false);
  const isWanted = useRef(false);
  const failures = useRef(0);
  const latest = useRef(work);
  latest.current = work;
  const load = () => {
    isWanted.current = true;
    run(async () => {
      while (isWanted.current) {
        isWanted.current = false;
        await latest.current();
      }
      failures.current = 0;
      setLoaded(true);
    });
  };
  // Each failure is a new object.
  useEffect(() => {
    if (error === undefined || !mayPass(error)) return;
    const timer = setTimeout(load, pauseAfter(failures.current, error));
    failures.current += 1;
    return () => clearTimeout(timer);
  }, [error]);
  return { isBusy, error, message, isLate: useLate(isBusy && !isLoaded), load };
}

/** Pages that failed together do not come back together. */
function pauseAfter(failures: number, { retryAfterSeconds = 0 }: GatehouseError): number {
  const pause = Math.min(firstPauseMilliseconds * 2 ** failures, longestPauseMilliseconds);
  return retryAfterSeconds * 1000 + pause * (0.5 + Math.random() / 2);
}
