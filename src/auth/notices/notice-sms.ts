// The rule of a notice by text message: limits of its own, so that codes are never refused for it, and the spending brake.
import type { Count, ReadCounter } from '../../abuse/caller-limits.ts';
import { type Counted, type Mark, marksOf } from '../../abuse/counted.ts';
import { brakeIds, countBrake, findBrake, readBrake, type SmsBrakeCheck } from '../../abuse/sms-brake.ts';
import { sha256 } from '../../kernel/crypto/digest.ts';
import { findWord } from '../../kernel/text/closed-list.ts';
import { phoneTopics, type SmsTopic } from '../../messages/message-kinds.ts';

/** `createdAt`: the time of the event that the message reports. */
export type NoticeSmsCheck = SmsBrakeCheck & {
  readonly topic: SmsTopic;
  readonly messageId: string;
  readonly createdAt: number;
};

const mostPerDay = 3;
const windowMilliseconds = 86_400_000;

/** The notices of a day: when they were created, and which message. */
type Sent = readonly (readonly [at: number, messageId: string])[];

/** The counters that a notice uses; undefined if a limit is off. */
export function noticeSmsIds(check: NoticeSmsCheck): (string | undefined)[] {
  return [noticesId(check), ...Object.values(brakeIds(check))];
}

/** The new values of the counters; undefined if the notice must not be sent. Trying one message again counts nothing. */
export function judgeNoticeSms(check: NoticeSmsCheck, read: ReadCounter): Count[] | undefined {
  const { country, policy, messageId, createdAt } = check;
  const id = noticesId(check);
  // By the times of the events: a message that was delayed must not use up the limit of a later day.
  const recent = ((read(id) ?? []) as Sent).filter(([at]) => at > createdAt - windowMilliseconds);
  if (recent.some(([, known]) => known === messageId)) return [];
  const isServed = policy.countries.length === 0 || policy.countries.includes(country);
  if (!isServed || recent.length >= mostPerDay || isBraked(check, read)) return undefined;
  const counted = countBrake(withoutUse(check), read, false);
  return [{ id, value: [...recent, [createdAt, messageId]], endsAt: createdAt + windowMilliseconds }, ...counted];
}

/** Stands with the notice, to be taken back if it never leaves. */
export function countedByNotice(check: NoticeSmsCheck): Counted {
  const held: readonly Mark[] = [['notices', noticesId(check)], ...marksOf(undefined, withoutUse(check))];
  return { at: check.now, messageId: check.messageId, opened: false, held, back: [] };
}

/** A notice has no code that could be used, so it does not count among the unused ones. */
function withoutUse<Check extends SmsBrakeCheck>(check: Check): Check {
  return { ...check, policy: { ...check.policy, unused: undefined } };
}

/**
 * Strangers can turn the brake on for a block of numbers with a few codes, so it does not stop the notices of a change of the number:
 * whoever reads the mailbox would silence them, and take the number. At most two of them follow a code that the brake let pass.
 */
function isBraked(check: NoticeSmsCheck, read: ReadCounter): boolean {
  return findWord(phoneTopics, check.topic) === undefined && findBrake(check, readBrake(check, read)) !== undefined;
}

/**
 * Each kind of notice of a change of the number is counted apart: no other notice uses up the only way back. As an account schedules
 * at most three changes a day, each of them is notified.
 */
function noticesId({ phone, topic }: NoticeSmsCheck): string {
  return `${findWord(phoneTopics, topic) ?? 'notices'}:${sha256(phone)}`;
}
