// Delivers one claimed message: writes its text, offers it to the providers in order, and notes in the outbox what became of it.
import type { AuditDetail } from '../../kernel/audit.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Channel } from '../channel.ts';
import type { Message } from '../message-kinds.ts';
import type { BegunMessage, ClaimedMessage, OutboxStore, SentMessage } from '../outbox.ts';
import {
  asksNext,
  findReasonToPark,
  hasWaitedLong,
  joinOutcomes,
  judgeUnsent,
  waitForProvider,
} from '../outbox-rules.ts';
import { readMessage, readRecipient } from '../read-message.ts';
import { maskTo } from '../texts/mask-recipient.ts';
import type { ChannelProviders, Turn, Wait } from './channel-providers.ts';
import { isAboutRecipient, type OutgoingMessage, type Sender, type SendOutcome, type UnsentOutcome } from './sender.ts';

export type DeliveryEvent = {
  readonly channel: Channel;
  /** The name of a sender, or `outbox` for the service itself. */
  readonly provider: string;
  readonly outcome: SendOutcome['kind'] | 'dropped' | 'parked' | 'failed';
  readonly seconds: number;
  readonly error?: string;
};

export type MessageParts = {
  readonly outbox: Pick<OutboxStore, 'finish' | 'giveBack' | 'park' | 'retry'>;
  readonly clock: Clock;
  readonly senders: Readonly<Record<Channel, readonly Sender[]>>;
  /** Writes the text of a message. Undefined if no message is to be sent. */
  readonly write: (message: Message) => Promise<OutgoingMessage | undefined>;
  readonly report: (event: DeliveryEvent) => void;
  /** Returns the mark that represents a recipient in audit events. */
  readonly mark: (recipient: string) => string;
  /** Both share a commit with others. */
  readonly begin: (message: BegunMessage) => Promise<boolean>;
  readonly finishSent: (sent: SentMessage) => Promise<void>;
  readonly providers: Readonly<Record<Channel, ChannelProviders>>;
  /** Ends an attempt after this time, or when the service stops. */
  readonly inTime: <Outcome>(milliseconds: number, send: (signal: AbortSignal) => Promise<Outcome>) => Promise<Outcome>;
  readonly leaseSeconds: number;
};

/** Under the lease that the node holds now. `isDoubtful`: the provider that was asked last may have sent it. */
type Attempt = {
  readonly message: ClaimedMessage;
  readonly isDoubtful: boolean;
  /** One of the providers answered about the recipient. */
  readonly isAboutRecipient: boolean;
};

export async function deliverMessage(parts: MessageParts, message: ClaimedMessage): Promise<void> {
  const { outbox, clock, report } = parts;
  const reason = findReasonToPark(message, clock.now());
  if (reason !== undefined) return park(parts, notAsked(message), { kind: 'refused', error: reason });
  if (hasWaitedLong(message.heldUntil, clock.now(), parts.leaseSeconds)) return outbox.giveBack([message]);
  const written = await write(parts, message);
  if (written === 'failed') return;
  if (written === undefined) {
    report({ channel: message.channel, provider: 'outbox', outcome: 'dropped', seconds: ageOf(parts, message) });
    return outbox.finish(message.id);
  }
  const inbox = parts.senders[message.channel].find(({ announce }) => announce !== undefined);
  if (inbox !== undefined) return keep(parts, message, written, inbox);
  return send(parts, message, written);
}

/** A message that cannot be written is tried again: a later version of the service may know it. */
async function write(parts: MessageParts, message: ClaimedMessage): Promise<OutgoingMessage | undefined | 'failed'> {
  try {
    return await parts.write(readMessage(message));
  } catch (error) {
    const cause = error instanceof Error ? error.name : 'unknown error';
    const seconds = ageOf(parts, message);
    parts.report({ channel: message.channel, provider: 'outbox', outcome: 'failed', seconds, error: cause });
    await putOff(parts, notAsked(message), { kind: 'refused', error: cause });
    return 'failed';
  }
}

/** The inbox has the message when the commit that finishes it has ended. */
async function keep(
  parts: MessageParts,
  message: ClaimedMessage,
  written: OutgoingMessage,
  inbox: Sender,
): Promise<void> {
  const { id, channel } = message;
  const detail = { ...describeMessage(parts, message), provider: inbox.name };
  await parts.finishSent({ id, detail, now: parts.clock.now(), ...lateness(message), kept: { ...written, channel } });
  const seconds = ageOf(parts, message);
  parts.report({ channel, provider: inbox.name, outcome: 'accepted', seconds });
  inbox.announce?.(written);
}

/** Asks the providers in order until one accepts. Nobody is asked before it is written down that the message may have left. */
async function send(parts: MessageParts, claimed: ClaimedMessage, written: OutgoingMessage): Promise<void> {
  const providers = parts.providers[claimed.channel];
  const { tries, doubts, kind } = claimed;
  const asked = new Set<Sender>();
  let attempt = notAsked(claimed);
  let last: UnsentOutcome | undefined;
  for (;;) {
    const turn = providers.take({ to: written.to, tries, doubts, asked });
    if (turn !== undefined && 'waitUntil' in turn && last === undefined) return wait(parts, claimed, turn);
    if (turn === undefined || 'waitUntil' in turn) break;
    if (last === undefined || attempt.isDoubtful) {
      const begun = await begin(parts, attempt, turn);
      if (begun === undefined) return;
      attempt = begun;
    }
    const outcome = await ask(parts, turn, attempt.message, written);
    if (outcome.kind === 'accepted') return finish(parts, attempt.message, turn.sender);
    asked.add(turn.sender);
    attempt = {
      ...attempt,
      isDoubtful: outcome.kind === 'doubtful',
      isAboutRecipient: attempt.isAboutRecipient || isAboutRecipient(outcome),
    };
    last = joinOutcomes(last, outcome);
    if (!asksNext(outcome, { kind, doubts: doubtsOf(attempt) })) break;
  }
  return putOff(parts, attempt, last ?? { kind: 'refused', error: 'no provider' });
}

/** Undefined if this node must not send it any more. */
async function begin(parts: MessageParts, attempt: Attempt, turn: Turn): Promise<Attempt | undefined> {
  const { leaseSeconds } = parts;
  const { id, heldUntil } = attempt.message;
  const now = parts.clock.now();
  let isBegun = false;
  try {
    isBegun = await parts.begin({ id, heldUntil, now, leaseSeconds });
  } finally {
    if (!isBegun) turn.release();
  }
  if (!isBegun) return undefined;
  const message = { ...attempt.message, doubts: doubtsOf(attempt), heldUntil: now + leaseSeconds * 1000 };
  return { ...attempt, message, isDoubtful: false };
}

async function ask(
  parts: MessageParts,
  turn: Turn,
  message: ClaimedMessage,
  written: OutgoingMessage,
): Promise<SendOutcome> {
  const { sender } = turn;
  const outcome = await parts.inTime(turn.milliseconds, (signal) => sender.send(written, signal));
  turn.end(outcome);
  const error = outcome.kind === 'accepted' ? {} : { error: outcome.error };
  const { channel } = message;
  parts.report({ channel, provider: sender.name, outcome: outcome.kind, seconds: ageOf(parts, message), ...error });
  return outcome;
}

/** Every provider is left out, or has as much as it takes. It is not begun, and this counts as no try. */
async function wait(
  parts: MessageParts,
  { id, heldUntil, createdAt }: ClaimedMessage,
  { waitUntil, isOutage }: Wait,
): Promise<void> {
  const dueAt = waitForProvider(waitUntil, createdAt, parts.clock.now());
  const error = 'waits for a provider';
  const isNot = { isTry: false, isDoubtful: false, isAboutRecipient: false };
  await parts.outbox.retry({ id, heldUntil, dueAt, error, ...isNot, isOutage });
}

function finish(parts: MessageParts, message: ClaimedMessage, sender: Sender): Promise<void> {
  const detail = { ...describeMessage(parts, message), provider: sender.name };
  return parts.finishSent({ id: message.id, detail, now: parts.clock.now(), ...lateness(message) });
}

function lateness({ isLate }: ClaimedMessage): Pick<SentMessage, 'isLate'> {
  return isLate === true ? { isLate } : {};
}

async function putOff(parts: MessageParts, attempt: Attempt, outcome: UnsentOutcome): Promise<void> {
  const { message, ...known } = attempt;
  const { id, heldUntil, tries, kind } = message;
  const next = judgeUnsent(outcome, { tries, doubts: doubtsOf(attempt), kind }, parts.clock.now());
  if (next.kind === 'park') return park(parts, attempt, outcome);
  // A provider that only asks to wait is well.
  const { dueAt, isTry } = next;
  await parts.outbox.retry({ id, heldUntil, dueAt, error: outcome.error, isTry, ...known, isOutage: isTry });
}

async function park(parts: MessageParts, { message, ...known }: Attempt, { error }: UnsentOutcome): Promise<void> {
  const { id, heldUntil, channel } = message;
  parts.report({ channel, provider: 'outbox', outcome: 'parked', seconds: ageOf(parts, message), error });
  const detail = describeMessage(parts, message);
  await parts.outbox.park({ id, heldUntil, error, ...known, detail, now: parts.clock.now() });
}

function notAsked(message: ClaimedMessage): Attempt {
  return { message, isDoubtful: false, isAboutRecipient: false };
}

function doubtsOf({ message, isDoubtful }: Attempt): number {
  return message.doubts + (isDoubtful ? 1 : 0);
}

function describeMessage(parts: MessageParts, { channel, kind, payload }: ClaimedMessage): AuditDetail {
  const to = readRecipient(payload);
  return { channel, kind, to: maskTo[channel](to), recipient: parts.mark(to) };
}

/** Seconds since the message was created. */
export function ageOf({ clock }: Pick<MessageParts, 'clock'>, message: Pick<ClaimedMessage, 'createdAt'>): number {
  return (clock.now() - message.createdAt) / 1000;
}
