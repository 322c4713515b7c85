// Runs a call at most once at a time, and once more if it was asked for meanwhile: many requests at once cost two calls.
import { useRef } from 'preact/hooks';

export function useCalm(work: () => Promise<void>): () => Promise<void> {
  const running = useRef<{ promise: Promise<void>; isWantedAgain: boolean } | undefined>(undefined);
  const run = (): Promise<void> => {
    if (running.current !== undefined) {
      running.current.isWantedAgain = true;
      return running.current.promise;
    }
    const promise = work().finally(() => {
      const isWantedAgain = running.current?.isWantedAgain === true;
      running.current = undefined;
      if (isWantedAgain) run().catch(() => undefined);
    });
    running.current = { promise, isWantedAgain: false };
    return promise;
  };
  return run;
}
