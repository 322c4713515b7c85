// Collects the messages that were accepted in one turn of the event loop, and finishes them in one commit.
import type { OutboxStore, SentMessage } from './outbox.ts';

type Waiting = { readonly sent: SentMessage; resolve(): void; reject(error: unknown): void };

/** Resolves after the commit. */
export function createFinisher(finishSent: OutboxStore['finishSent']): (sent: SentMessage) => Promise<void> {
  let waiting: Waiting[] = [];
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    try {
      await finishSent(batch.map(({ sent }) => sent));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length === 1) return batch[0]?.reject(error);
      // A message that the store refuses must not make others look unsent: each is finished alone.
      for (const { sent, resolve, reject } of batch) finishSent([sent]).then(resolve, reject);
    }
  };
  return (sent) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ sent, resolve, reject });
    });
}
