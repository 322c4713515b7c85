// Runs an action of the user: whether it is running, and the message if it fails.
import { useRef, useState } from 'preact/hooks';
import { GatehouseError } from '../../client/src/gatehouse-error.ts';

export type Task = {
  readonly isBusy: boolean;
  /** Of the last action. It stays until the next result, so that it does not blink. */
  readonly error: GatehouseError | undefined;
  readonly message: string | undefined;
  /** Runs one action at a time. A second call while the first is running does nothing. */
  readonly run: (work: () => Promise<void>) => void;
  readonly clear: () => void;
};

/** Whether what the user typed is wrong. A limit, a blocked account or a lost connection is no fault of the field. */
export function isTypedWrong(error: GatehouseError | undefined): boolean {
  return error !== undefined && [400, 409, 410, 422].includes(error.status);
}

export function useTask(offline: string): Task {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<GatehouseError | undefined>();
  const isRunning = useRef(false);
  const run = async (work: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    try {
      await work();
      setError(undefined);
    } catch (failure) {
      if (!(failure instanceof GatehouseError)) throw failure;
      setError(failure);
    } finally {
      isRunning.current = false;
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
