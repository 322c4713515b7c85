// Sends a message again after a countdown. If the service asks for a longer wait, the countdown follows it.
import { useEffect, useState } from 'preact/hooks';
import { GatehouseError } from '../../client/src/gatehouse-error.ts';
import { useCountdown } from './use-countdown.ts';
import { type Task, useTask } from './use-task.ts';

export type Resend = {
  readonly task: Task;
  readonly secondsLeft: number;
  /** True after the last resend succeeded, until `clear` or the next resend. */
  readonly isSent: boolean;
  readonly send: () => void;
  /** Removes the notice and the error of the last resend. */
  readonly clear: () => void;
};

/** When a message that is sent now may be sent again, in milliseconds since 1970. */
export function firstResendAt(afterSeconds: readonly number[]): number {
  return Date.now() + (afterSeconds[0] ?? 0) * 1000;
}

/**
 * Sends a code. Returns when it may be sent again, and whether it was sent: a code that was sent a moment ago is still valid, so a user
 * who lost the page can enter it.
 */
export async function sendUnlessSent(
  send: () => Promise<unknown>,
  afterSeconds: readonly number[],
): Promise<{ readonly resendAt: number; readonly isSent: boolean }> {
  try {
    await send();
    return { resendAt: firstResendAt(afterSeconds), isSent: true };
  } catch (failure) {
    if (!(failure instanceof GatehouseError) || failure.code !== 'OTP_RESEND_TOO_SOON') throw failure;
    return { resendAt: Date.now() + (failure.retryAfterSeconds ?? 0) * 1000, isSent: false };
  }
}

/** Use it after the first message has been sent. */
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
