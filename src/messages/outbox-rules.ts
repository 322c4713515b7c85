// The rules of the outbox: what a claim changes, when a message is tried again, when it is parked, and which one may be sent again.
import { findWord } from '../kernel/text/closed-list.ts';
import type { UnsentOutcome } from './delivery/sender.ts';
import { type CodeDraft, type CodeSource, type Message, noticeKinds } from './message-kinds.ts';
import type { OutboxState, ResendOutcome, ShownState } from './message-log.ts';
import type { ClaimedMessage, Parking, Retry } from './outbox.ts';

/** A code may arrive twice. A notice that is lost does more harm than one that arrives again, hours later. */
const mostDoubts = { code: 2, notice: 5 } as const;
/** Pauses after the first try, the second, and so on: six tries. */
const retrySeconds = [1, 3, 10, 30, 60];
export const mostTries = retrySeconds.length + 1;
/** A notice tells of a stranger while something can be done about it. It goes on until it expires: an outage must not silence it. */
const noticeRetrySeconds = 900;
/** A provider cannot put a message off for longer. */
const longestWait = 60_000;
/** Each doubt makes the pause of a notice four times as long, so that a provider whose answers are lost does not send it all day. */
const doubtFactor = 4;

/** What the rules need to know of an entry. A state of a newer version is undefined. */
export type MessageProgress = {
  readonly state: OutboxState | undefined;
  readonly tries: number;
  readonly doubts: number;
  readonly dueAt: number;
};

type NextProgress = MessageProgress & { readonly state: OutboxState };

type Lease = { readonly now: number; readonly leaseSeconds: number };

/** A node claims the entry with a lease. */
export function claimMessage({ state, tries, doubts }: MessageProgress, { now, leaseSeconds }: Lease): NextProgress {
  // The lease ended while sending: the node is gone, and it is unknown whether the message was sent.
  const lost = state === 'sending' ? 1 : 0;
  return { state: 'claimed', tries: tries + lost, doubts: doubts + lost, dueAt: now + leaseSeconds * 1000 };
}

/** The node holds the entry under this lease, and no other node has claimed it since. */
function isHeldUntil({ state, dueAt }: MessageProgress, heldUntil: number): boolean {
  return (state === 'claimed' || state === 'sending') && dueAt === heldUntil;
}

/**
 * From now on the message may have left. If it was begun before, that attempt had an unknown outcome. Undefined if the node must not
 * send it: it does not hold it any more, or it may have left often enough.
 */
export function beginMessage(
  { state, tries, doubts, dueAt }: MessageProgress,
  { heldUntil, kind, now, leaseSeconds }: Lease & { readonly heldUntil: number; readonly kind: string },
): NextProgress | undefined {
  const known = doubts + (state === 'sending' ? 1 : 0);
  if (!isHeldUntil({ state, tries, doubts, dueAt }, heldUntil) || known >= mostDoubtsOf(kind)) return undefined;
  return { state: 'sending', tries, doubts: known, dueAt: now + leaseSeconds * 1000 };
}

/** A message that its own node claims at the commit that queues it. */
export function claimAtOnce(lease: Lease): NextProgress {
  return claimMessage({ state: 'queued', tries: 0, doubts: 0, dueAt: lease.now }, lease);
}

/** The commit adds the challenge to a message with a code. The message ends when the code does. */
export function addCode(message: CodeDraft, code: CodeSource): Message {
  return { ...message, payload: { ...message.payload, ...code }, expiresAt: code.expiresAt } as Message;
}

/** What the node that queues a message delivers, if it claims it at once. */
export function holdMessage(message: Message, lease: Lease): ClaimedMessage {
  const { tries, doubts, dueAt: heldUntil } = claimAtOnce(lease);
  return { ...message, tries, doubts, heldUntil };
}

/** A message that waited in memory for half its lease: the rest may be too short to send it. */
export function hasWaitedLong(heldUntil: number, now: number, leaseSeconds: number): boolean {
  return heldUntil - now < leaseSeconds * 500;
}

/** As if it had not been claimed. Undefined if it was begun, or its lease has ended and another node has it, or nobody. */
export function giveBackMessage(
  { state, tries, doubts, dueAt }: MessageProgress,
  { heldUntil, createdAt }: { heldUntil: number; createdAt: number },
): NextProgress | undefined {
  if (state !== 'claimed' || dueAt !== heldUntil) return undefined;
  return { state: 'queued', tries, doubts, dueAt: createdAt };
}

/** Undefined if another node has it. */
export function retryMessage(
  progress: MessageProgress,
  { heldUntil, dueAt, isTry, isDoubtful }: Pick<Retry, 'heldUntil' | 'dueAt' | 'isTry' | 'isDoubtful'>,
): NextProgress | undefined {
  if (!isHeldUntil(progress, heldUntil)) return undefined;
  const { tries, doubts } = progress;
  return { state: 'queued', tries: tries + (isTry ? 1 : 0), doubts: doubts + (isDoubtful ? 1 : 0), dueAt };
}

/** Undefined if another node has it. A parked message without a doubt has certainly not left. */
export function parkMessage(
  progress: MessageProgress,
  { heldUntil, isDoubtful }: Pick<Parking, 'heldUntil' | 'isDoubtful'>,
): NextProgress | undefined {
  if (!isHeldUntil(progress, heldUntil)) return undefined;
  const { tries, doubts, dueAt } = progress;
  return { state: 'parked', tries, doubts: doubts + (isDoubtful ? 1 : 0), dueAt };
}

/** An attempt had an unknown outcome, or was cut short. */
export function mayHaveLeft({ state, doubts }: MessageProgress): boolean {
  return doubts > 0 || state === 'sending';
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
  return (entry.state === 'claimed' || entry.state === 'sending') && now < entry.dueAt ? 'sending' : 'queued';
}

export function showState(state: OutboxState): ShownState {
  return state === 'claimed' ? 'queued' : state;
}

/** Why a claimed message is parked without being sent; undefined if it may be sent. */
export function findReasonToPark(
  { expiresAt, doubts, kind }: { readonly expiresAt: number; readonly doubts: number; readonly kind: string },
  now: number,
): string | undefined {
  if (now >= expiresAt) return 'expired before it could be sent';
  return doubts >= mostDoubtsOf(kind) ? `sent ${wordsOf[mostDoubtsOf(kind)]} without a known outcome` : undefined;
}

const wordsOf = { 2: 'twice', 5: 'five times' } as const;

/** What happened to a message that no provider accepted. */
type UnsentMessage = {
  readonly kind: string;
  /** Before this attempt. */
  readonly tries: number;
  /** With those of this attempt. */
  readonly doubts: number;
};

/** The last provider did not accept the message: is the next one asked at once? */
export function asksNext(outcome: UnsentOutcome, { kind, doubts }: Pick<UnsentMessage, 'kind' | 'doubts'>): boolean {
  // Somebody waits for a code. For a notice it is soon enough after a pause.
  return outcome.kind !== 'doubtful' || (!isNotice(kind) && doubts < mostDoubts.code);
}

/** The order in which the providers are asked. After a doubt the next provider comes first, because the first one may hang. */
export function orderProviders<Provider>(providers: readonly Provider[], doubts: number): readonly Provider[] {
  const first = providers.length === 0 ? 0 : doubts % providers.length;
  return [...providers.slice(first), ...providers.slice(0, first)];
}

/** What the outcomes of several providers come to: hopeless only if all say so. */
export function joinOutcomes(before: UnsentOutcome | undefined, outcome: UnsentOutcome): UnsentOutcome {
  return before === undefined || before.kind === 'hopeless' || outcome.kind !== 'hopeless' ? outcome : before;
}

/** `isTry`: false if the provider only asked to wait. */
type UnsentPlan =
  | { readonly kind: 'park' }
  | { readonly kind: 'retry'; readonly dueAt: number; readonly isTry: boolean };

/** What follows an attempt that no provider accepted: parked, or tried again at `dueAt`. */
export function judgeUnsent(outcome: UnsentOutcome, { tries, doubts, kind }: UnsentMessage, now: number): UnsentPlan {
  if (outcome.kind === 'refused' && outcome.waitMilliseconds !== undefined)
    return { kind: 'retry', dueAt: now + Math.min(outcome.waitMilliseconds, longestWait), isTry: false };
  const pause = pauseAfter(outcome, { tries, doubts, kind });
  if (outcome.kind === 'hopeless' || pause === undefined || doubts >= mostDoubtsOf(kind)) return { kind: 'park' };
  return { kind: 'retry', dueAt: now + pause * 1000, isTry: true };
}

/** When a message is due again for which no provider could be asked. The older it is, the longer the pause: so a long queue costs little. */
export function waitForProvider(until: number, createdAt: number, now: number): number {
  return Math.max(Math.min(until, now + longestWait), now + Math.min(15_000, Math.max(1000, (now - createdAt) / 4)));
}

function pauseAfter(outcome: UnsentOutcome, { tries, doubts, kind }: UnsentMessage): number | undefined {
  if (!isNotice(kind)) return retrySeconds[tries];
  if (outcome.kind === 'doubtful') return noticeRetrySeconds * doubtFactor ** (doubts - 1);
  return retrySeconds[tries] ?? noticeRetrySeconds;
}

function isNotice(kind: string): boolean {
  return findWord(noticeKinds, kind) !== undefined;
}

function mostDoubtsOf(kind: string): 2 | 5 {
  return mostDoubts[isNotice(kind) ? 'notice' : 'code'];
}
