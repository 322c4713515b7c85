// Sending again: counts down as the service will, and takes the service's word when it says to wait longer.
import { useEffect, useState } from 'preact/hooks';
import { GatehouseError } from '../../client/src/gatehouse-error.ts';
import { useCountdown } from './use-countdown.ts';
import { type Task, useTask } from './use-task.ts';

export type Resend = {
  readonly task: Task;
  readonly secondsLeft: number;
  /** The latest wish to send again was fulfilled, and nothing was done about it since. */
  readonly isSent: boolean;
  readonly send: () => void;
  /** Takes back what is said about the latest wish. */
  readonly clear: () => void;
};

/** When a message that is sent now may be sent again, in milliseconds since 1970. */
export function firstResendAt(afterSeconds: readonly number[]): number {
  return Date.now() + (afterSeconds[0] ?? 0) * 1000;
}

/** To be shown once a first message was sent. */
export function useResend(
  afterSeconds: readonly number[],
  resendAt: number,
  again: () => Promise<unknown>,
  offline: string,
): Resend {
  const task = useTask(offline);
  const { secondsLeft, start } = useCountdown();
  const [count, setCount] = useState(0);
  const [isSent, setSent] = useState(false);
  useEffect(() => start((resendAt - Date.now()) / 1000), []);
  const send = () =>
    task.run(async () => {
      setSent(false);
      try {
        await again();
        setSent(true);
        setCount(count + 1);
        start(afterSeconds[Math.min(count + 1, afterSeconds.length - 1)] ?? 0);
      } catch (failure) {
        if (failure instanceof GatehouseError && failure.retryAfterSeconds !== undefined)
          start(failure.retryAfterSeconds);
        throw failure;
      }
    });
  const clear = () => {
    setSent(false);
    task.clear();
  };
  return { task, secondsLeft, isSent, send, clear };
}
