// The delivery worker: takes messages from memory or claims them from the outbox, writes their text, and sends them through a provider.
import type { AuditDetail } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Lane, startLane } from '../kernel/lane.ts';
import { createFinisher } from './finish-together.ts';
import { maskTo } from './mask-recipient.ts';
import type { Message } from './message-kinds.ts';
import type { Channel, ClaimedMessage, OutboxStore, SentMessage } from './outbox.ts';
import { findReasonToPark, hasWaitedLong, isLastTry, judgeUnsent } from './outbox-rules.ts';
import { readMessage, readRecipient } from './read-message.ts';
import { mostSendsAtOnce, type OutgoingMessage, type Sender, type SendOutcome } from './sender.ts';

export type DeliveryParts = {
  readonly outbox: OutboxStore;
  readonly clock: Clock;
  readonly senders: Readonly<Record<Channel, readonly Sender[]>>;
  /** Writes the text of a message. Undefined if no message is to be sent. */
  readonly write: (message: Message) => Promise<OutgoingMessage | undefined>;
  readonly report: (event: DeliveryEvent) => void;
  /** Returns the mark that represents a recipient in audit events. */
  readonly mark: (recipient: string) => string;
  /** Messages that were handed over have left memory. */
  readonly onEnd: (channel: Channel, count: number) => void;
  /** No message of the channel was found waiting: the first time, and each time after a call of `wake`. */
  readonly onEmpty: (channel: Channel) => void;
};

export type DeliveryEvent = {
  readonly channel: Channel;
  /** The name of a sender, or `outbox` for the service itself. */
  readonly provider: string;
  readonly outcome: SendOutcome['kind'] | 'dropped' | 'parked' | 'failed';
  readonly seconds: number;
  readonly error?: string;
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
  /** For one attempt at one provider. */
  readonly sendMilliseconds: number;
};

export const deliveryTimes: DeliveryTimes = { leaseSeconds: 20, pollMilliseconds: 1000, sendMilliseconds: 4000 };

/** The inbox is part of the store, and sees as many at once as a node may hold. */
const mostAtOnce = { provider: mostSendsAtOnce, inbox: 256 } as const;
/** How many messages of a channel a node may claim at their commit. */
export const mostHeld = 256;

type Item = { readonly message: ClaimedMessage; readonly isHeld: boolean };
type Lanes = Readonly<Record<Channel, Lane<Item>>>;
type Finish = (sent: SentMessage) => Promise<void>;

/** Each channel has its own lane, so that a hanging mail server does not delay SMS. */
export function startDelivery(parts: DeliveryParts, times: DeliveryTimes = deliveryTimes): DeliveryWorker {
  const finish = createFinisher(parts.outbox.finishSent);
  const lanes: Lanes = {
    sms: startChannel(parts, times, finish, 'sms'),
    mail: startChannel(parts, times, finish, 'mail'),
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

function startChannel(parts: DeliveryParts, times: DeliveryTimes, finish: Finish, channel: Channel): Lane<Item> {
  const { outbox, clock, report, onEnd, onEmpty } = parts;
  const { leaseSeconds, pollMilliseconds } = times;
  const isOfInbox = parts.senders[channel].some(({ announce }) => announce !== undefined);
  return startLane<Item>({
    mostAtOnce: mostAtOnce[isOfInbox ? 'inbox' : 'provider'],
    pollMilliseconds,
    claim: async (most) => {
      const claimed = await outbox.claim({ channel, now: clock.now(), most, leaseSeconds });
      return claimed.map((message) => ({ message, isHeld: false }));
    },
    deliver: async ({ message, isHeld }) => {
      await deliverOne(parts, times, finish, message);
      if (isHeld) onEnd(channel, 1);
    },
    giveBack: (items) => outbox.giveBack(items.map(({ message }) => message)),
    onEmpty: () => onEmpty(channel),
    report: (error) => report({ channel, provider: 'outbox', outcome: 'failed', seconds: 0, error: nameOf(error) }),
  });
}

async function deliverOne(
  parts: DeliveryParts,
  times: DeliveryTimes,
  finish: Finish,
  message: ClaimedMessage,
): Promise<void> {
  const { outbox, clock, report } = parts;
  const { id, channel } = message;
  const park = async (error: string) => {
    report({ channel, provider: 'outbox', outcome: 'parked', seconds: ageOf(parts, message), error });
    await outbox.park({ id, error, detail: describeMessage(parts, message), now: clock.now() });
  };
  try {
    const reason = findReasonToPark(message, clock.now());
    if (reason !== undefined) return await park(reason);
    if (hasWaitedLong(message.heldUntil, clock.now(), times.leaseSeconds)) return await outbox.giveBack([message]);
    const written = await parts.write(readMessage(message));
    if (written === undefined) {
      report({ channel, provider: 'outbox', outcome: 'dropped', seconds: ageOf(parts, message) });
      return await outbox.finish(id);
    }
    const { outcome, sender } = await send(parts, times, message, written);
    if (outcome.kind === 'accepted') {
      const detail = { ...describeMessage(parts, message), provider: sender?.name ?? '' };
      const kept = sender?.announce && { kept: { ...written, channel } };
      await finish({ id, detail, now: clock.now(), ...kept });
      if (sender?.announce === undefined) return;
      report({ channel, provider: sender.name, outcome: outcome.kind, seconds: ageOf(parts, message) });
      return sender.announce(written);
    }
    const next = judgeUnsent(outcome, message, clock.now());
    if (next.kind === 'park') return await park(outcome.error);
    await outbox.retry({ id, dueAt: next.dueAt, error: outcome.error, isDoubtful: next.isDoubtful });
  } catch (error) {
    // The lease expires and a worker claims the message again. A message that always throws is parked in the end.
    report({ channel, provider: 'outbox', outcome: 'failed', seconds: ageOf(parts, message), error: nameOf(error) });
    if (isLastTry(message.tries)) await park(nameOf(error)).catch(() => undefined);
  }
}

/** Tries the providers in order until one accepts. Stops at a doubtful outcome: the next provider might send it a second time. */
async function send(
  parts: DeliveryParts,
  { sendMilliseconds }: DeliveryTimes,
  { channel, ...message }: ClaimedMessage,
  written: OutgoingMessage,
): Promise<{ outcome: SendOutcome; sender?: Sender }> {
  let last: SendOutcome = { kind: 'refused', error: 'no provider' };
  for (const sender of parts.senders[channel]) {
    // The inbox has the message when the commit that finishes it has ended.
    if (sender.announce !== undefined) return { outcome: { kind: 'accepted' }, sender };
    const outcome = await sender.send(written, AbortSignal.timeout(sendMilliseconds));
    const error = outcome.kind === 'accepted' ? {} : { error: outcome.error };
    parts.report({
      channel,
      provider: sender.name,
      outcome: outcome.kind,
      seconds: (parts.clock.now() - message.createdAt) / 1000,
      ...error,
    });
    if (outcome.kind === 'accepted' || outcome.kind === 'doubtful') return { outcome, sender };
    last = outcome.kind === 'hopeless' && last.kind === 'refused' && last.error !== 'no provider' ? last : outcome;
  }
  return { outcome: last };
}

function describeMessage(parts: DeliveryParts, { channel, kind, payload }: ClaimedMessage): AuditDetail {
  const to = readRecipient(payload);
  return { channel, kind, to: maskTo[channel](to), recipient: parts.mark(to) };
}

/** Seconds since the message was created. */
function ageOf({ clock }: DeliveryParts, message: ClaimedMessage): number {
  return (clock.now() - message.createdAt) / 1000;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error';
}
