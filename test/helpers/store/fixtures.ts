// Inputs for the store's suites: policies, requests and code attempts, with unique values where a key must be unique.

import type { SendPolicy } from '../../../src/abuse/sends.ts';
import type { BrakePolicy } from '../../../src/abuse/sms-brake.ts';
import { budgetOf } from '../../../src/auth/codes/attempt-budget.ts';
import {
  type ChallengeSeed,
  type CodeAttempt,
  challengeSlot,
  type OtpPolicy,
} from '../../../src/auth/codes/challenge.ts';
import type { CodeContent, SendRequest } from '../../../src/auth/codes/send-request.ts';
import type { EmailBinding } from '../../../src/auth/identity/email-binding.ts';
import { type PhoneChange, preparePhoneNotices } from '../../../src/auth/identity/phone-change.ts';
import { prepareMailNotice } from '../../../src/auth/notices/notice.ts';
import type { SessionDraft, SessionPolicy } from '../../../src/auth/sessions/session.ts';
import type { SessionId } from '../../../src/auth/sessions/session-id.ts';
import type { ProofTicket } from '../../../src/auth/sign-in/proof-ticket.ts';
import type { PhoneClaim, PhoneSignIn } from '../../../src/auth/sign-in/sign-in.ts';
import { firstIdAt, newId, randomText } from '../../../src/kernel/crypto/random.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import type { AnyDetail } from '../../../src/kernel/failure.ts';
import { newUserId, type UserId } from '../../../src/kernel/ids.ts';
import type { EmailKey, PhoneNumber } from '../../../src/kernel/recipient.ts';
import type { CodeDraft, MessageOf } from '../../../src/messages/message-kinds.ts';
import type { Ports } from '../../../src/store/ports.ts';
import { asEmail, asEmailKey, asPhone, asSessionId } from '../people/ids.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Far from the machine's own time, so that only the given time can decide. */
export const noon = Date.UTC(2031, 4, 5, 12);

export const otpPolicy: OtpPolicy = {
  lifeSeconds: 300,
  capSeconds: 600,
  attempts: 5,
  failuresPerRecipient: [],
  failuresPerCaller: [],
};

export const sessionPolicy: SessionPolicy = {
  idleSeconds: 30 * 86_400,
  lifeSeconds: 180 * 86_400,
  graceSeconds: 30,
  perUser: 20,
};

const recycledSeconds = 180 * 86_400;

export const sendPolicy: SendPolicy = { resendAfterSeconds: [], perRecipient: [], perIp: [] };

export const brakePolicy: BrakePolicy = {
  countries: [],
  perDay: 0,
  perCountryPerDay: 0,
  perPrefix: [],
  unused: undefined,
};

let serial = 0;

/** Numbers that share no prefix, so that no number reaches the limit of another. */
export function newPhone(): PhoneNumber {
  serial += 1;
  return asPhone(`+4915${String(serial).padStart(5, '0')}0000`);
}

export function newEmail(): string {
  serial += 1;
  return `someone${serial}@example.com`;
}

export function newChallengeSeed(): ChallengeSeed {
  return { id: newId(), nonce: randomText(16), secretId: 'abcd' };
}

/** An id as newId() would have made it at that time. */
export function idAt(time: number): string {
  return firstIdAt(time).slice(0, 24) + newId().slice(24);
}

type PhoneDraft = Extract<CodeDraft, { kind: 'phone-login' }>;

export function message(now: number, changes: Partial<PhoneDraft> = {}): PhoneDraft {
  const payload = { to: asPhone('+491510000'), language: 'en' as const };
  const draft = { id: newId(), channel: 'sms' as const, kind: 'phone-login' as const, payload };
  return { ...draft, createdAt: now, expiresAt: now + 5 * minute, ...changes };
}

/** A request for a sign-in link to the e-mail address, without any limit. */
export function linkRequest(to: EmailKey, now: number): SendRequest & { readonly message: MessageOf<'login-link'> } {
  const source = { secretId: 'abcd', nonce: randomText(32), browserHash: 'hash of a browser' };
  const draft = { id: newId(), channel: 'mail' as const, kind: 'login-link' as const };
  return {
    check: undefined,
    brake: undefined,
    captcha: undefined,
    challenge: undefined,
    message: { ...draft, payload: { to, language: 'de', ...source }, createdAt: now, expiresAt: now + 5 * minute },
    audit: { kind: 'link.requested', detail: {} },
    now,
  };
}

function replacedNotice(now: number): MessageOf<'email-replaced'> {
  const draft = { id: newId(), channel: 'mail' as const, kind: 'email-replaced' as const };
  return {
    ...draft,
    payload: { to: '' as const, language: 'en' as const },
    createdAt: now,
    expiresAt: now + 5 * minute,
  };
}

export type RequestChanges = {
  readonly policy?: Partial<SendPolicy>;
  readonly brake?: Partial<BrakePolicy>;
  readonly country?: string;
  readonly ip?: string;
  readonly purpose?: string;
  readonly captcha?: SendRequest['captcha'];
  readonly otp?: Partial<OtpPolicy>;
};

type CodeRequest = Omit<SendRequest, keyof CodeContent> & CodeContent;

/** A request for a code by text message, with no limits but the given ones. */
export function codeRequest(recipient: string, now: number, changes: RequestChanges = {}): CodeRequest {
  const phone = asPhone(recipient);
  const { ip = '192.0.2.1', country = 'DE', purpose = 'phone-login', captcha } = changes;
  const slot = challengeSlot('phone-login', phone);
  return {
    check: { purpose, recipient: phone, ip, policy: { ...sendPolicy, ...changes.policy }, now },
    brake: { phone, country, policy: { ...brakePolicy, ...changes.brake }, now },
    captcha,
    challenge: { purpose: 'phone-login', slot, seed: newChallengeSeed(), policy: { ...otpPolicy, ...changes.otp } },
    message: message(now, { payload: { to: phone, language: 'en' } }),
    audit: { kind: 'otp.requested', detail: { country } },
    now,
  };
}

const rightCode = '271828';

/** The key of the marks of recipients in audit events. */
export const markKey = 'a2V5IG9mIG1hcmtz';

/** A wrong code. */
export function attempt(recipient: string, now: number, policy: Partial<OtpPolicy> = {}): CodeAttempt {
  const phone = asPhone(recipient);
  return {
    slot: challengeSlot('phone-login', phone),
    budget: budgetOf(phone),
    markKey,
    caller: '192.0.2.1',
    seed: newChallengeSeed(),
    subject: { purpose: 'phone-login', recipient: phone },
    given: '314159',
    fixed: rightCode,
    keys: [],
    policy: { ...otpPolicy, ...policy },
    now,
  };
}

/** The same with the right code. */
export function right(wrong: CodeAttempt): CodeAttempt {
  return { ...wrong, given: rightCode };
}

/** Requests a code and returns an attempt with the right one. */
export async function rightAttempt(
  ports: Ports,
  recipient: string,
  now: number,
  wrong: CodeAttempt = attempt(recipient, now),
): Promise<CodeAttempt> {
  const { slot, policy, subject } = wrong;
  const request = codeRequest(recipient, now);
  const challenge = { purpose: subject.purpose, slot, seed: newChallengeSeed(), policy };
  await ports.sendRequests.request({ ...request, challenge });
  return right(wrong);
}

/** Tries the code of the attempt. Returns the attempts left, or the seconds until there are some. */
export async function tryCode(ports: Ports, given: CodeAttempt): Promise<AnyDetail> {
  const outcome = await ports.signIns.signInWithPhone(phoneSignIn(given, asPhone(given.subject.recipient), given.now));
  if (outcome.kind !== 'refused') throw new Error(`not refused: ${outcome.kind}`);
  return outcome.detail;
}

export function sessionDraft(now: number, changes: Partial<SessionDraft> = {}): SessionDraft {
  const draft = {
    id: asSessionId(newId()),
    seedHash: randomText(16),
    userAgent: 'Suite/1',
    ip: '192.0.2.1',
    method: 'sms' as const,
  };
  return { ...draft, policy: sessionPolicy, now, ...changes };
}

type SignInChanges = Partial<Omit<PhoneSignIn, 'session'>> & { readonly session?: Partial<SessionDraft> };

export function phoneSignIn(
  given: CodeAttempt,
  phone: PhoneNumber,
  now: number,
  changes: SignInChanges = {},
): PhoneSignIn {
  const { session, ...others } = changes;
  const signIn = { attempt: given, phone, country: 'DE', countsUse: false, isSignupOpen: true, newUserId: newUserId() };
  return { ...signIn, recycledSeconds, ...others, session: sessionDraft(now, session) };
}

/** Signs in, creates the user if there is none, and returns the user and the session. */
export async function signIn(ports: Ports, phone: PhoneNumber, now: number, changes: SignInChanges = {}) {
  const input = phoneSignIn(await rightAttempt(ports, phone, now), phone, now, changes);
  const outcome = await ports.signIns.signInWithPhone(input);
  if (outcome.kind !== 'signed in') throw new Error(`not signed in: ${outcome.kind}`);
  return { ...outcome, session: input.session };
}

const claimSecrets = createSecrets('the secret of a claim '.repeat(2));

/** A claim of the number with a ticket as a sign-in would have given it. */
export function phoneClaim(ticket: ProofTicket, now: number, changes: Partial<PhoneClaim> = {}): PhoneClaim {
  const notice = prepareMailNotice(claimSecrets, 'phone-lost', { language: 'en', now });
  return { ticket, isSignupOpen: true, newUserId: newUserId(), session: sessionDraft(now), notice, ...changes };
}

export function binding(given: CodeAttempt, userId: UserId, address: string, now: number): EmailBinding {
  const emailKey = asEmailKey(address.toLowerCase());
  return {
    attempt: given,
    userId,
    address: asEmail(address),
    emailKey,
    mayReplace: true,
    notice: replacedNotice(now),
    now,
  };
}

/** A new user who owns the address. */
export async function ownerOf(ports: Ports, address: string, now: number): Promise<UserId> {
  const { userId } = await signIn(ports, newPhone(), now);
  await bind(ports, userId, address, now);
  return userId;
}

export async function bind(ports: Ports, userId: UserId, address: string, now: number) {
  const slot = challengeSlot('email-binding', asEmailKey(address.toLowerCase()), userId);
  const given = await rightAttempt(ports, address, now, { ...attempt(address, now), slot });
  return ports.bindings.bindEmail(binding(given, userId, address, now));
}

const noticeSecrets = createSecrets('the secret of notices '.repeat(2));

/** A change of the number with the right code, which is requested here. */
export async function phoneChange(
  ports: Ports,
  { userId, sessionId }: { readonly userId: UserId; readonly sessionId: SessionId },
  phone: PhoneNumber,
  now: number,
): Promise<PhoneChange> {
  const subject = { purpose: 'phone-change' as const, recipient: phone, userId };
  const slot = challengeSlot(subject.purpose, phone, userId);
  const given = await rightAttempt(ports, phone, now, { ...attempt(phone, now), slot, subject });
  const about = { language: 'de', now } as const;
  return {
    attempt: given,
    userId,
    sessionId,
    phone,
    country: undefined,
    waitSeconds: 3 * 86_400,
    language: 'de',
    notices: {
      changed: preparePhoneNotices(noticeSecrets, 'phone-changed', about),
      scheduled: preparePhoneNotices(noticeSecrets, 'phone-change-scheduled', about),
    },
    now,
  };
}

export function linkIssue(address: string, tokenHash: string, now: number) {
  return {
    emailKey: asEmailKey(address.toLowerCase()),
    tokenHash,
    browserHash: 'browser',
    lifeSeconds: 900,
    requestedAt: now,
    now,
  };
}
