// The delivery worker: claims messages from the outbox, writes their text, and sends them through a provider.
import type { AuditDetail } from '../kernel/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Lane, startLane } from './lane.ts';
import { maskTo } from './mask-recipient.ts';
import type { Message } from './message-kinds.ts';
import type { Channel, ClaimedMessage, OutboxStore } from './outbox.ts';
import { findReasonToPark, isLastTry, judgeUnsent } from './outbox-rules.ts';
import { readMessage, readRecipient } from './read-message.ts';
import type { OutgoingMessage, Sender, SendOutcome } from './sender.ts';

export type DeliveryParts = {
  readonly outbox: OutboxStore;
  readonly clock: Clock;
  readonly senders: Readonly<Record<Channel, readonly Sender[]>>;
  /** Writes the text of a message. Undefined if no message is to be sent. */
  readonly write: (message: Message) => Promise<OutgoingMessage | undefined>;
  readonly report: (event: DeliveryEvent) => void;
  /** Returns the mark that represents a recipient in audit events. */
  readonly mark: (recipient: string) => string;
};

export type DeliveryEvent = {
  readonly channel: Channel;
  /** The name of a sender, or `outbox` for the service itself. */
  readonly provider: string;
  readonly outcome: SendOutcome['kind'] | 'dropped' | 'parked' | 'failed';
  readonly seconds: number;
  readonly error?: string;
};

export type Delivery = {
  /** Checks for due messages in one channel, or in all channels if none is given. */
  wake(channel?: Channel): void;
  /** Waits for the sends in progress. */
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

const mostAtOnce = 32;

/** Each channel has its own lane, so that a hanging mail server does not delay SMS. */
export function startDelivery(parts: DeliveryParts, times: DeliveryTimes = deliveryTimes): Delivery {
  const lanes: Readonly<Record<Channel, Lane>> = {
    sms: startChannel(parts, times, 'sms'),
    mail: startChannel(parts, times, 'mail'),
  };
  const all = Object.values(lanes);
  return {
    wake: (channel) => {
      for (const lane of channel === undefined ? all : [lanes[channel]]) lane.wake();
    },
    stop: async () => void (await Promise.all(all.map((lane) => lane.stop()))),
  };
}

function startChannel(parts: DeliveryParts, times: DeliveryTimes, channel: Channel): Lane {
  const { outbox, clock, report } = parts;
  const { leaseSeconds, pollMilliseconds } = times;
  return startLane({
    mostAtOnce,
    pollMilliseconds,
    claim: (most) => outbox.claim({ channel, now: clock.now(), most, leaseSeconds }),
    deliver: (message) => deliverOne(parts, times, message),
    report: (error) => report({ channel, provider: 'outbox', outcome: 'failed', seconds: 0, error: nameOf(error) }),
  });
}

async function deliverOne(parts: DeliveryParts, times: DeliveryTimes, message: ClaimedMessage): Promise<void> {
  const { outbox, clock, report } = parts;
  const { id, channel } = message;
  const park = async (error: string) => {
    report({ channel, provider: 'outbox', outcome: 'parked', seconds: ageOf(parts, message), error });
    await outbox.park({ id, error, detail: describeMessage(parts, message), now: clock.now() });
  };
  const reason = findReasonToPark(message, clock.now());
  if (reason !== undefined) return park(reason);
  try {
    const written = await parts.write(readMessage(message));
    if (written === undefined) {
      report({ channel, provider: 'outbox', outcome: 'dropped', seconds: ageOf(parts, message) });
      return await outbox.finish(id);
    }
    const { outcome, provider } = await send(parts, times, message, written);
    if (outcome.kind === 'accepted')
      return await outbox.finishSent({
        id,
        detail: { ...describeMessage(parts, message), provider },
        now: clock.now(),
      });
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
): Promise<{ outcome: SendOutcome; provider: string }> {
  let last: SendOutcome = { kind: 'refused', error: 'no provider' };
  for (const sender of parts.senders[channel]) {
    const outcome = await sender.send(written, AbortSignal.timeout(sendMilliseconds));
    const error = outcome.kind === 'accepted' ? {} : { error: outcome.error };
    parts.report({
      channel,
      provider: sender.name,
      outcome: outcome.kind,
      seconds: (parts.clock.now() - message.createdAt) / 1000,
      ...error,
    });
    if (outcome.kind === 'accepted' || outcome.kind === 'doubtful') return { outcome, provider: sender.name };
    last = outcome.kind === 'hopeless' && last.kind === 'refused' && last.error !== 'no provider' ? last : outcome;
  }
  return { outcome: last, provider: '' };
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
