// Something the person asked for: whether it is under way, and what to tell when it fails.
import { useRef, useState } from 'preact/hooks';
import { GatehouseError } from '../../client/src/gatehouse-error.ts';

export type Task = {
  readonly isBusy: boolean;
  readonly error: GatehouseError | undefined;
  readonly message: string | undefined;
  /** Runs one at a time; a second call while the first is under way does nothing. */
  readonly run: (work: () => Promise<void>) => void;
  readonly clear: () => void;
};

export function useTask(offline: string): Task {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<GatehouseError | undefined>();
  const underWay = useRef(false);
  const run = async (work: () => Promise<void>) => {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      if (!(failure instanceof GatehouseError)) throw failure;
      setError(failure);
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  };
  return {
    isBusy,
    error,
    message: error?.code === 'NETWORK' ? offline : error?.message,
    run: (work) => void run(work),
    clear: () => setError(undefined),
  };
}
