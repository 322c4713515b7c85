// The delivery worker: takes messages from memory or claims them from the outbox, writes their text, and sends them through a provider.
import { type Lane, startLane } from '../kernel/lane.ts';
import { commitTogether } from './commit-together.ts';
import { ageOf, deliverMessage, type MessageParts } from './deliver-message.ts';
import type { BegunMessage, Channel, ClaimedMessage, OutboxStore, SentMessage } from './outbox.ts';
import { mostSendsAtOnce } from './sender.ts';

export type DeliveryParts = Omit<MessageParts, 'outbox' | 'begin' | 'finishSent' | keyof SendTimes> & {
  readonly outbox: OutboxStore;
  /** Messages that were handed over have left memory. */
  readonly onEnd: (channel: Channel, count: number) => void;
  /** No message of the channel was found waiting: the first time, and each time after a call of `wake`. */
  readonly onEmpty: (channel: Channel) => void;
};

export type DeliveryWorker = {
  /** Delivers messages that this node has claimed at their commit. */
  deliver(messages: readonly ClaimedMessage[]): void;
  /** Checks for due messages in one channel, or in all channels if none is given. */
  wake(channel?: Channel): void;
  /** Waits for the sends in progress, and gives back the messages that have not begun. */
  stop(): Promise<void>;
};

/** `leaseSeconds`: how long a claimed message belongs to one worker. `sendMilliseconds`: for one attempt at one provider. */
type SendTimes = Pick<MessageParts, 'leaseSeconds' | 'sendMilliseconds'>;

export type DeliveryTimes = SendTimes & {
  /** The longest time until a due message is seen without a call of `wake`. */
  readonly pollMilliseconds: number;
};

export const deliveryTimes: DeliveryTimes = { leaseSeconds: 20, pollMilliseconds: 1000, sendMilliseconds: 4000 };

/** The inbox is part of the store, and sees as many at once as a node may hold. */
const mostAtOnce = { provider: mostSendsAtOnce, inbox: 256 } as const;
/** How many messages of a channel a node may claim at their commit. */
export const mostHeld = 256;

type Item = { readonly message: ClaimedMessage; readonly isHeld: boolean };
type Lanes = Readonly<Record<Channel, Lane<Item>>>;

/** Each channel has its own lane, so that a hanging mail server does not delay SMS. */
export function startDelivery(parts: DeliveryParts, times: DeliveryTimes = deliveryTimes): DeliveryWorker {
  const { begin, finishSent } = parts.outbox;
  const { leaseSeconds, sendMilliseconds } = times;
  const messageParts: MessageParts = {
    ...parts,
    leaseSeconds,
    sendMilliseconds,
    begin: commitTogether<BegunMessage, boolean>(begin),
    finishSent: commitTogether<SentMessage, undefined>(async (sent) => {
      await finishSent(sent);
      return [];
    }),
  };
  const lanes: Lanes = {
    sms: startChannel(parts, messageParts, times, 'sms'),
    mail: startChannel(parts, messageParts, times, 'mail'),
  };
  const all = Object.values(lanes);
  return {
    deliver: (messages) => {
      for (const [channel, some] of Map.groupBy(messages, (message) => message.channel))
        lanes[channel].add(some.map((message) => ({ message, isHeld: true })));
    },
    wake: (channel) => {
      for (const lane of channel === undefined ? all : [lanes[channel]]) lane.wake();
    },
    stop: async () => void (await Promise.all(all.map((lane) => lane.stop()))),
  };
}

function startChannel(
  parts: DeliveryParts,
  messageParts: MessageParts,
  { leaseSeconds, pollMilliseconds }: DeliveryTimes,
  channel: Channel,
): Lane<Item> {
  const { outbox, clock, report, onEnd, onEmpty } = parts;
  const isOfInbox = parts.senders[channel].some(({ announce }) => announce !== undefined);
  const reportFailure = (error: unknown, seconds: number) =>
    report({ channel, provider: 'outbox', outcome: 'failed', seconds, error: nameOf(error) });
  return startLane<Item>({
    mostAtOnce: mostAtOnce[isOfInbox ? 'inbox' : 'provider'],
    pollMilliseconds,
    claim: async (most) => {
      const claimed = await outbox.claim({ channel, now: clock.now(), most, leaseSeconds });
      return claimed.map((message) => ({ message, isHeld: false }));
    },
    deliver: async ({ message, isHeld }) => {
      // The lease ends and a worker claims the message again: as one that may have left, if it was begun.
      await deliverMessage(messageParts, message).catch((error) => reportFailure(error, ageOf(parts, message)));
      if (isHeld) onEnd(channel, 1);
    },
    giveBack: (items) => outbox.giveBack(items.map(({ message }) => message)),
    onEmpty: () => onEmpty(channel),
    report: (error) => reportFailure(error, 0),
  });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error';
}
