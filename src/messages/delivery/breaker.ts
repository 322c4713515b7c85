// The circuit breaker of a provider, or of one country at a provider: leaves it out while it fails or hangs, and lets single messages probe it.
import { isAboutRecipient, type SendOutcome } from './sender.ts';

/** `closed`: messages go through. `open`: only a probe does, now and then. */
export type Breaker = {
  readonly kind: 'closed' | 'open';
  /** The last outcomes while it is closed, oldest first: true for a failure. */
  readonly failures: readonly boolean[];
  /** How often it has opened or let a probe through without a success. */
  readonly probes: number;
  /** When it opened or closed, or let the last probe through. */
  readonly since: number;
  /** The provider asked to be left alone until then. */
  readonly pausedUntil: number;
};

export const closedBreaker: Breaker = { kind: 'closed', failures: [], probes: 0, since: 0, pausedUntil: 0 };

/** So many failures in a row open it, and so many sends that take too long while none succeeds. */
export const mostFailures = 3;
const keptOutcomes = 20;
const fewestOutcomes = 10;

const firstProbeMilliseconds = 1000;
const longestProbeMilliseconds = 30_000;
/** Where no other provider is there to take the message: nobody loses by a probe. */
const urgentProbeMilliseconds = 2000;
/** A provider that fails again so soon has not recovered: its probes stay as rare as they were. */
const relapseMilliseconds = 60_000;
/** A provider cannot ask for more: a code lives for five minutes. */
const longestPauseMilliseconds = 60_000;

/**
 * What an outcome says of the provider. A verdict about a recipient shows that it works. Of a message that has failed before, a failure
 * says nothing new, or the retries of one bad recipient would count as the failure of many.
 */
export function judgeProvider(outcome: SendOutcome, tries: number): 'works' | 'fails' | 'unknown' {
  if (outcome.kind === 'accepted' || isAboutRecipient(outcome)) return 'works';
  return tries === 0 ? 'fails' : 'unknown';
}

/** When a message may go through: a time that is not over `now` means at once. */
export function admitsAt({ kind, since, probes, pausedUntil }: Breaker, now: number, isUrgent: boolean): number {
  const probeAt = kind === 'closed' ? now : dueAt(since, probePause(probes, isUrgent), now);
  return Math.max(probeAt, dueAt(pausedUntil, 0, now));
}

/** A message goes through. While the breaker is open it is a probe, and the next one must wait. */
export function letThrough(breaker: Breaker, now: number): Breaker {
  return breaker.kind === 'closed' ? breaker : { ...breaker, probes: breaker.probes + 1, since: now };
}

export function noteSuccess(breaker: Breaker, now: number): Breaker {
  if (breaker.kind === 'open') return { ...breaker, kind: 'closed', failures: [], since: now };
  // Nothing changes while all goes well.
  if (!breaker.failures.includes(true)) return breaker;
  return { ...breaker, failures: lastOf([...breaker.failures, false]) };
}

/** A failure of a send that began before the breaker opened says nothing new. */
export function noteFailure(breaker: Breaker, now: number): Breaker {
  if (breaker.kind === 'open') return breaker;
  const failures = lastOf([...breaker.failures, true]);
  return isTripped(failures) ? open(breaker, now) : { ...breaker, failures };
}

/** Sends that take too long open it before they end. */
export function noteOverdue(breaker: Breaker, overdue: number, now: number): Breaker {
  return breaker.kind === 'closed' && overdue >= mostFailures ? open(breaker, now) : breaker;
}

/** The provider is well, but takes nothing for a while. */
export function notePause(breaker: Breaker, milliseconds: number, now: number): Breaker {
  const until = now + Math.min(milliseconds, longestPauseMilliseconds);
  return { ...breaker, pausedUntil: Math.max(until, dueAt(breaker.pausedUntil, 0, now)) };
}

export function isLeftOut({ kind, pausedUntil }: Breaker, now: number): boolean {
  return kind === 'open' || dueAt(pausedUntil, 0, now) > now;
}

function open(breaker: Breaker, now: number): Breaker {
  const isRelapse = now - breaker.since < relapseMilliseconds;
  return { ...breaker, kind: 'open', failures: [], probes: isRelapse ? breaker.probes : 0, since: now };
}

function isTripped(failures: readonly boolean[]): boolean {
  const inARow = failures.length - 1 - failures.lastIndexOf(false);
  const all = failures.filter((isFailure) => isFailure).length;
  return inARow >= mostFailures || (failures.length >= fewestOutcomes && all * 2 >= failures.length);
}

function probePause(probes: number, isUrgent: boolean): number {
  const usual = Math.min(firstProbeMilliseconds * 2 ** Math.min(probes, 10), longestProbeMilliseconds);
  return isUrgent ? Math.min(usual, urgentProbeMilliseconds) : usual;
}

/** A clock that was set back does not keep a provider out for longer than the pause. */
function dueAt(since: number, pause: number, now: number): number {
  return Math.min(since + pause, now + Math.max(pause, longestPauseMilliseconds));
}

function lastOf(failures: readonly boolean[]): readonly boolean[] {
  return failures.slice(-keptOutcomes);
}
