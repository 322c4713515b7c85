// Sending again: counts down as the service will, and takes the service's word when it says to wait longer.
import { useEffect, useState } from 'preact/hooks';
import { GatehouseError } from '../../client/src/gatehouse-error.ts';
import { useCountdown } from './use-countdown.ts';
import { type Task, useTask } from './use-task.ts';

export type Resend = {
  readonly task: Task;
  readonly secondsLeft: number;
  /** How often it was sent again. */
  readonly count: number;
  readonly send: () => void;
};

/** To be shown once a first message was sent. */
export function useResend(afterSeconds: readonly number[], again: () => Promise<unknown>, offline: string): Resend {
  const task = useTask(offline);
  const { secondsLeft, start } = useCountdown();
  const [count, setCount] = useState(0);
  const pause = (sends: number) => start(afterSeconds[Math.min(sends, afterSeconds.length - 1)] ?? 0);
  useEffect(() => pause(0), []);
  const send = () =>
    task.run(async () => {
      try {
        await again();
        setCount(count + 1);
        pause(count + 1);
      } catch (failure) {
        if (failure instanceof GatehouseError && failure.retryAfterSeconds !== undefined)
          start(failure.retryAfterSeconds);
        throw failure;
      }
    });
  return { task, secondsLeft, count, send };
}
