// Repeats an attempt at a batch that failed for a reason that another attempt may not meet.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchTime } from '../engine/call-queue.ts';
import { isConnectionLoss } from './postgres-errors.ts';

type MayRepeat = (error: unknown, round: number) => boolean;

export const mayReconnect: MayRepeat = (error, round) => isConnectionLoss(error) && round < 3;

/** Until an attempt succeeds, another one would not help, or the time of the batch is over. */
export async function repeat<T>(attempt: () => Promise<T>, mayRepeat: MayRepeat, time: BatchTime): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await attempt();
    } catch (error) {
      if (time.isOver || !mayRepeat(error, round)) throw error;
      await sleep(Math.random() * 20 * Math.min(round, 10));
    }
  }
}
