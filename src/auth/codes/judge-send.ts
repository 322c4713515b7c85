// The rules of a request for a message: who is refused, what is counted, which challenge carries the code, and what is audited.
import type { Count, ReadCounter } from '../../abuse/caller-limits.ts';
import { type Counted, marksOf } from '../../abuse/counted.ts';
import { countSend, isLastForRecipient, refuseSend, sendCounterIds } from '../../abuse/sends.ts';
import { brakeFailure, brakeIds, countBrake, findBrake, readBrake } from '../../abuse/sms-brake.ts';
import type { DatedEvent } from '../../kernel/audit.ts';
import { refusalFrom } from '../../kernel/failure.ts';
import type { CodeSource, Message, MessageKind } from '../../messages/message-kinds.ts';
import { addCode } from '../../messages/outbox-rules.ts';
import { type Challenge, openChallenge } from './challenge.ts';
import type { ChallengeRequest, SendRefusal, SendRequest } from './send-request.ts';

type Gate = Pick<SendRequest, 'check' | 'brake'>;

/** The counters that a request uses; undefined if a limit is off. */
export function sendRequestIds({ check, brake }: Gate): (string | undefined)[] {
  const ids = check === undefined ? [] : sendCounterIds(check);
  return brake === undefined ? ids : [...ids, ...Object.values(brakeIds(brake))];
}

/** A used captcha solution is refused first. Then the limits are checked, then the brake. */
export function judgeSend({ check, brake }: Gate, isCaptchaUsed: boolean, read: ReadCounter): SendRefusal | undefined {
  if (isCaptchaUsed) return { code: 'CAPTCHA_INVALID', detail: {} };
  const failure = check === undefined ? undefined : refuseSend(check, read);
  if (failure !== undefined) return refusalFrom(failure);
  const broken = brake === undefined ? undefined : findBrake(brake, readBrake(brake, read));
  if (broken === undefined) return undefined;
  return { ...refusalFrom(brakeFailure(broken.retryAfterSeconds)), rule: broken.rule };
}

type OpenedCode = {
  readonly challenge: Challenge;
  /** False if the code of an open challenge is sent again. */
  readonly isNew: boolean;
  readonly source: CodeSource;
};

export function openCode(known: Challenge | undefined, { seed, policy }: ChallengeRequest, now: number): OpenedCode {
  const challenge = openChallenge(known, seed, policy, now);
  const { id, nonce, secretId, expiresAt } = challenge;
  return { challenge, isNew: id === seed.id, source: { challenge: { id, nonce, secretId }, expiresAt } };
}

/** The message of an accepted request. Undefined for a test recipient. `source`: of the code that the request opened. */
export function messageOf(request: SendRequest, source: CodeSource | undefined): Message | undefined {
  if (request.challenge === undefined) return request.message;
  return request.message === undefined || source === undefined ? undefined : addCode(request.message, source);
}

/** The counters after an accepted request. */
export function countSendRequest({ check, brake }: Gate, read: ReadCounter, opensCode: boolean): Count[] {
  const sends = check === undefined ? [] : countSend(check, read);
  return brake === undefined ? sends : [...sends, ...countBrake(brake, read, opensCode)];
}

/**
 * What the message takes back with it if it never leaves; undefined if nothing. A link, and a code for a new address, are sent or not
 * as accounts have it. Taking back only those that were to be sent would reveal who has an account.
 */
export function countedBy(
  { check, brake, now }: SendRequest,
  message: Message,
  opensCode: boolean,
): Counted | undefined {
  if (!isTakenBack[message.kind]) return undefined;
  const held = marksOf(check, brake);
  return held.length === 0 ? undefined : { at: now, messageId: message.id, opened: opensCode, held, back: [] };
}

const isTakenBack: Readonly<Record<MessageKind, boolean>> = {
  'phone-login': true,
  'proof-phone': true,
  'phone-change': true,
  'proof-email': true,
  'email-binding': false,
  'login-link': false,
  // Nobody requests these.
  'email-replaced': false,
  notice: false,
  'notice-sms': false,
};

/**
 * The audit events of an accepted request, after it was counted. The last send that the limit of a recipient allows has an event too,
 * because there is only one. Refusals have none, because there may be thousands.
 */
export function acceptedEvents({ check, audit, now }: SendRequest, read: ReadCounter): DatedEvent[] {
  const accepted: DatedEvent = { ...audit, now };
  if (check === undefined || !isLastForRecipient(check, read)) return [accepted];
  return [{ ...audit, kind: 'limits.reached', detail: { ...audit.detail }, now }, accepted];
}

/** The audit event of a refusal; undefined unless the brake refused. */
export function refusedEvent({ audit, now }: SendRequest, { rule }: SendRefusal): DatedEvent | undefined {
  return rule === undefined ? undefined : { kind: 'sms.suspended', detail: { ...audit.detail, rule }, now };
}
