// The rules of the outbox: what a claim changes, when a message is tried again, when it is parked, and which one may be sent again.
import { findWord } from '../kernel/closed-list.ts';
import { type CodeDraft, type CodeSource, type Message, noticeKinds } from './message-kinds.ts';
import type { OutboxState, ResendOutcome } from './message-log.ts';
import type { ClaimedMessage } from './outbox.ts';
import type { SendOutcome } from './sender.ts';

const mostDoubts = 2;
/** Pauses after the first try, the second, and so on: six tries. */
const retrySeconds = [1, 3, 10, 30, 60];
export const mostTries = retrySeconds.length + 1;
/** A notice tells of a stranger while something can be done about it. It goes on until it expires: an outage must not silence it. */
const noticeRetrySeconds = 900;

/** What the rules need to know of an entry. A state of a newer version is undefined. */
export type MessageProgress = {
  readonly state: OutboxState | undefined;
  readonly tries: number;
  readonly doubts: number;
  readonly dueAt: number;
};

type NextProgress = MessageProgress & { readonly state: OutboxState };

/** A node claims the entry with a lease. */
export function claimMessage(
  { state, tries, doubts }: MessageProgress,
  { now, leaseSeconds }: { now: number; leaseSeconds: number },
): NextProgress {
  // The lease ended while sending: the node is gone, and it is unknown whether the message was sent.
  const isDoubtful = state === 'sending';
  return {
    state: 'sending',
    tries: tries + 1,
    doubts: doubts + (isDoubtful ? 1 : 0),
    dueAt: now + leaseSeconds * 1000,
  };
}

/** A message that its own node claims at the commit that queues it. */
export function claimAtOnce(lease: { now: number; leaseSeconds: number }): NextProgress {
  return claimMessage({ state: 'queued', tries: 0, doubts: 0, dueAt: lease.now }, lease);
}

/** The commit adds the challenge to a message with a code. The message ends when the code does. */
export function addCode(message: CodeDraft, code: CodeSource): Message {
  return { ...message, payload: { ...message.payload, ...code }, expiresAt: code.expiresAt } as Message;
}

/** What the node that queues a message delivers, if it claims it at once. */
export function holdMessage(message: Message, lease: { now: number; leaseSeconds: number }): ClaimedMessage {
  const { tries, doubts, dueAt: heldUntil } = claimAtOnce(lease);
  return { ...message, tries, doubts, heldUntil };
}

/** A message that waited in memory for half its lease: the rest may be too short to send it. */
export function hasWaitedLong(heldUntil: number, now: number, leaseSeconds: number): boolean {
  return heldUntil - now < leaseSeconds * 500;
}

/** As if it had not been claimed. Undefined if its lease has ended and another node has it, or nobody. */
export function giveBackMessage(
  { state, tries, doubts, dueAt }: MessageProgress,
  { heldUntil, createdAt }: { heldUntil: number; createdAt: number },
): NextProgress | undefined {
  if (state !== 'sending' || dueAt !== heldUntil) return undefined;
  return { state: 'queued', tries: tries - 1, doubts, dueAt: createdAt };
}

export function retryMessage(
  { tries, doubts }: MessageProgress,
  { dueAt, isDoubtful }: { dueAt: number; isDoubtful: boolean },
): NextProgress {
  return { state: 'queued', tries, doubts: doubts + (isDoubtful ? 1 : 0), dueAt };
}

/** Due at once, and with all its tries. */
export function requeueMessage(now: number): NextProgress {
  return { state: 'queued', tries: 0, doubts: 0, dueAt: now };
}

/** `queued`: it may be sent again. */
export function judgeResend(
  entry: (Pick<MessageProgress, 'state' | 'dueAt'> & { readonly expiresAt: number }) | undefined,
  now: number,
): ResendOutcome {
  if (entry === undefined) return 'gone';
  if (now >= entry.expiresAt) return 'expired';
  return entry.state === 'sending' && now < entry.dueAt ? 'sending' : 'queued';
}

/** Why a claimed message is parked without being sent; undefined if it may be sent. */
export function findReasonToPark(
  { expiresAt, doubts }: { readonly expiresAt: number; readonly doubts: number },
  now: number,
): string | undefined {
  if (now >= expiresAt) return 'expired before it could be sent';
  return doubts >= mostDoubts ? 'sent twice without a known outcome' : undefined;
}

export function isLastTry(tries: number): boolean {
  return tries >= mostTries;
}

/** What follows a try that no provider accepted: parked, or tried again at `dueAt`. */
export function judgeUnsent(
  outcome: Exclude<SendOutcome, { kind: 'accepted' }>,
  { tries, kind }: { readonly tries: number; readonly kind: string },
  now: number,
): { readonly kind: 'park' } | { readonly kind: 'retry'; readonly dueAt: number; readonly isDoubtful: boolean } {
  const pause = retrySeconds[tries - 1] ?? (findWord(noticeKinds, kind) && noticeRetrySeconds);
  if (outcome.kind === 'hopeless' || pause === undefined) return { kind: 'park' };
  return { kind: 'retry', dueAt: now + pause * 1000, isDoubtful: outcome.kind === 'doubtful' };
}
