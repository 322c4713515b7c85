// Hands messages to the delivery worker some time after their requests, many at once.
import type { Channel } from '../channel.ts';
import type { ClaimedMessage } from '../outbox.ts';

type HandOver = {
  deliver(message: ClaimedMessage): void;
  wake(channel: Channel): void;
  /** Hands over at once what has gathered. */
  flush(): void;
};

export type HandedOver = { readonly wake: readonly Channel[]; readonly deliver: readonly ClaimedMessage[] };

/**
 * Longer than an answer needs to leave the machine. Delivery that begins earlier takes processor time from the answer, and how much of it
 * depends on whether there is anything to send, which would reveal who has an account.
 */
export const handOverMilliseconds = 20;

export function createHandOver(send: (handedOver: HandedOver) => void): HandOver {
  let deliver: ClaimedMessage[] = [];
  const wake = new Set<Channel>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (wake.size === 0 && deliver.length === 0) return;
    const handedOver = { wake: [...wake], deliver };
    wake.clear();
    deliver = [];
    send(handedOver);
  };
  const flushLater = () => {
    timer ??= setTimeout(flush, handOverMilliseconds).unref();
  };
  return {
    deliver: (message) => {
      deliver.push(message);
      flushLater();
    },
    wake: (channel) => {
      wake.add(channel);
      flushLater();
    },
    flush,
  };
}
