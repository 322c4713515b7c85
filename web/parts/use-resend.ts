// Sends a message again after a countdown. If the service asks for a longer wait, the countdown follows it.
import { useState } from 'preact/hooks';
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

/** What this page has sent to each recipient. */
const sends = new Map<string, { readonly count: number; readonly at: number }>();
/** After this time without a message, the service begins with the first pause again. */
const memoryMilliseconds = 3_600_000;

/** Call it when a message was sent. When it may be sent again, in milliseconds since 1970: each pause is longer than the one before. */
export function noteSend(to: string, afterSeconds: readonly number[]): number {
  const now = Date.now();
  const last = sends.get(to);
  const before = last !== undefined && now - last.at < memoryMilliseconds ? last.count : 0;
  sends.set(to, { count: before + 1, at: now });
  return now + (afterSeconds[Math.min(before, afterSeconds.length - 1)] ?? 0) * 1000;
}

/**
 * Sends a message. Returns when it may be sent again, and whether it was sent: what was sent a moment ago is still valid, so a user who
 * lost the page can use it.
 */
export async function sendUnlessSent(
  send: () => Promise<unknown>,
  to: string,
  afterSeconds: readonly number[],
): Promise<{ readonly resendAt: number; readonly isSent: boolean }> {
  try {
    await send();
    return { resendAt: noteSend(to, afterSeconds), isSent: true };
  } catch (failure) {
    if (!(failure instanceof GatehouseError) || failure.code !== 'OTP_RESEND_TOO_SOON') throw failure;
    return { resendAt: Date.now() + (failure.retryAfterSeconds ?? 0) * 1000, isSent: false };
  }
}

/** Use it after the first message has been sent. */
export function useResend(
  to: string,
  afterSeconds: readonly number[],
  resendAt: number,
  again: () => Promise<unknown>,
  offline: string,
): Resend {
  const task = useTask(offline);
  const { secondsLeft, start } = useCountdown((resendAt - Date.now()) / 1000);
  const [isSent, setSent] = useState(false);
  const send = () =>
    task.run(async () => {
      setSent(false);
      try {
        await again();
        setSent(true);
        start((noteSend(to, afterSeconds) - Date.now()) / 1000);
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
