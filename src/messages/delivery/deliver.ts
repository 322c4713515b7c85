// The delivery worker: takes messages from memory or claims them from the outbox, writes their text, and sends them through a provider.
import { type Lane, startLane } from '../../kernel/work/lane.ts';
import { type Loop, startLoop } from '../../kernel/work/loop.ts';
import { type Channel, type PerChannel, perChannel } from '../channel.ts';
import type { BegunMessage, ClaimedMessage, OutboxStore, SentMessage } from '../outbox.ts';
import { createAttemptDeadlines } from './attempt-deadlines.ts';
import { type ChannelProviders, type ChannelProvidersParts, createChannelProviders } from './channel-providers.ts';
import { commitTogether } from './commit-together.ts';
import { ageOf, deliverMessage, type MessageParts } from './deliver-message.ts';

export type DeliveryParts = Pick<MessageParts, 'clock' | 'senders' | 'write' | 'report' | 'mark'> & {
  readonly outbox: OutboxStore;
  /** The country of a phone number. */
  readonly countryOf: ChannelProvidersParts['countryOf'];
  /** A provider is left out, or taken back. */
  readonly onProvider: ChannelProvidersParts['onChange'];
  /** Messages that were handed over have left memory. */
  readonly onEnd: (channel: Channel, count: number) => void;
  /** No message of the channel was found waiting: the first time, and each time after a call of `wake`. */
  readonly onEmpty: (channel: Channel) => void;
  /** No provider of the channel takes messages: nothing more is to be handed over until `onEmpty`. */
  readonly onShut: (channel: Channel) => void;
};

export type DeliveryWorker = {
  /** Delivers messages that this node has claimed at their commit. */
  deliver(messages: readonly ClaimedMessage[]): void;
  /** Checks for due messages in one channel, or in all channels if none is given. */
  wake(channel?: Channel): void;
  /** Waits for the sends in progress, and gives back the messages that have not begun. */
  stop(): Promise<void>;
};

export type DeliveryTimes = {
  /** How long a claimed message belongs to one worker. */
  readonly leaseSeconds: number;
  /** The longest time until a due message is seen without a call of `wake`. */
  readonly pollMilliseconds: number;
  /** For one attempt at one provider while another one could take the message. */
  readonly sendMilliseconds: number;
  /** For one attempt if nobody else could take it: a slow provider is better than none. Shorter than the lease. */
  readonly lastSendMilliseconds: number;
};

export const deliveryTimes: DeliveryTimes = {
  leaseSeconds: 20,
  pollMilliseconds: 1000,
  sendMilliseconds: 4000,
  lastSendMilliseconds: 15_000,
};

/** The inbox is part of the store, and sees as many at once as a node may hold. */
const mostInInbox = 256;
/** How many expired messages are parked at once while no provider takes any. */
const mostExpired = 256;
/** How many messages of a channel a node may claim at their commit. */
export const mostHeld = 256;

type Item = { readonly message: ClaimedMessage; readonly isHeld: boolean };

/** What waits for longer than a provider asks in passing waits for a provider that does not work. */
const longestPauseSeconds = 30;
const mostSetAside = 200;

type Worker = { readonly lane: Lane<Item>; readonly expiry: Loop };

/** A provider may fail in one country only, where the recipient is a number. */
const hasCountries: PerChannel<boolean> = { sms: true, mail: false };

/** Each channel has its own lane, so that a hanging mail server does not delay SMS. */
export function startDelivery(parts: DeliveryParts, times: DeliveryTimes = deliveryTimes): DeliveryWorker {
  const { begin, finishSent } = parts.outbox;
  const { leaseSeconds, sendMilliseconds } = times;
  const deadlines = createAttemptDeadlines();
  const providers = perChannel((channel) => createProviders(parts, times, channel));
  const messageParts: MessageParts = {
    ...parts,
    providers,
    leaseSeconds,
    inTime: deadlines.inTime,
    begin: commitTogether<BegunMessage, boolean>(begin),
    finishSent: commitTogether<SentMessage, undefined>(async (sent) => {
      await finishSent(sent);
      return [];
    }),
  };
  const workers = perChannel((channel) => startChannel(parts, messageParts, times, channel));
  const all = Object.values(workers);
  return {
    deliver: (messages) => {
      for (const [channel, some] of Map.groupBy(messages, (message) => message.channel))
        workers[channel].lane.add(some.map((message) => ({ message, isHeld: true })));
    },
    wake: (channel) => {
      for (const { lane } of channel === undefined ? all : [workers[channel]]) lane.wake();
    },
    stop: async () => {
      // What a provider answers until then is known, and no message is in doubt because of the stop.
      deadlines.endWithin(sendMilliseconds);
      await Promise.all(all.flatMap(({ lane, expiry }) => [lane.stop(), expiry.stop()]));
    },
  };
}

function createProviders(parts: DeliveryParts, times: DeliveryTimes, channel: Channel): ChannelProviders {
  const { senders, clock, countryOf, onProvider: onChange } = parts;
  return createChannelProviders({
    channel,
    senders: senders[channel],
    clock,
    countryOf: hasCountries[channel] ? countryOf : () => undefined,
    onChange,
    sendMilliseconds: { usual: times.sendMilliseconds, last: times.lastSendMilliseconds },
  });
}

function startChannel(
  parts: DeliveryParts,
  messageParts: MessageParts,
  { leaseSeconds, pollMilliseconds }: DeliveryTimes,
  channel: Channel,
): Worker {
  const { outbox, clock, report, onEnd, onEmpty, onShut } = parts;
  const providers = messageParts.providers[channel];
  const isOfInbox = parts.senders[channel].some(({ announce }) => announce !== undefined);
  const reportFailure = (error: unknown, seconds: number) =>
    report({ channel, provider: 'outbox', outcome: 'failed', seconds, error: nameOf(error) });
  // The lease ends and a worker claims the message again: as one that may have left, if it was begun.
  const deliver = (message: ClaimedMessage) =>
    deliverMessage(messageParts, message).catch((error) => reportFailure(error, ageOf(parts, message)));
  const lane = startLane<Item>({
    ...(isOfInbox ? { room: (running) => mostInInbox - running } : providers),
    pollMilliseconds,
    claim: async (most) => {
      const claimed = await outbox.claim({
        channel,
        now: clock.now(),
        most,
        leaseSeconds,
        ...(providers.isShut() && { isProbe: true }),
      });
      return claimed.map((message) => ({ message, isHeld: false }));
    },
    deliver: async ({ message, isHeld }) => {
      await deliver(message);
      if (isHeld) onEnd(channel, 1);
    },
    giveBack: async (items) => {
      if (providers.isShut()) onShut(channel);
      onEnd(channel, items.filter(({ isHeld }) => isHeld).length);
      await outbox.giveBack(items.map(({ message }) => message));
    },
    onEmpty: () => onEmpty(channel),
    report: (error) => reportFailure(error, 0),
  });
  // While nothing is claimed to be sent, what expires is parked in time all the same.
  const parkExpired = async () => {
    for (let count = mostExpired; providers.isShut() && count === mostExpired; ) {
      const expired = await outbox.claimExpired({ channel, now: clock.now(), most: mostExpired, leaseSeconds });
      await Promise.all(expired.map(deliver));
      count = expired.length;
    }
    for (let count = mostSetAside; providers.isShut() && count === mostSetAside; ) {
      const before = clock.now() - (providers.isOutage() ? 0 : longestPauseSeconds * 1000);
      count = await outbox.setAside({ channel, before, most: mostSetAside });
    }
  };
  return { lane, expiry: startLoop(pollMilliseconds, parkExpired, (error) => reportFailure(error, 0)) };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error';
}
