// Inputs of the operations that send codes, judge them and start sessions: tight limits, so that few inputs reach them.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { brakeRules } from '../../../../src/abuse/sms-brake.ts';
import { budgetOf } from '../../../../src/auth/codes/attempt-budget.ts';
import {
  type CodeAttempt,
  type CodeSubject,
  challengeSlot,
  type OtpPolicy,
} from '../../../../src/auth/codes/challenge.ts';
import type { SendRequest } from '../../../../src/auth/codes/send-request.ts';
import type { SessionDraft } from '../../../../src/auth/sessions/session.ts';
import type { SessionProof } from '../../../../src/auth/sessions/session-proof.ts';
import type { PhoneClaim, PhoneSignIn, SigningDevice } from '../../../../src/auth/sign-in/sign-in.ts';
import { smsTopics } from '../../../../src/messages/message-kinds.ts';
import { asEmail, asEmailKey, asPhone, asSessionId, asUserId } from '../../../helpers/people/ids.ts';
import { markKey } from '../../../helpers/store/fixtures.ts';
import { type AllInputs, inputsOf } from '../inputs.ts';
import { mailNoticeOf, noticeDraftOf, phoneNoticesOf, smsNoticeOf } from '../notices.ts';
import {
  by,
  callers,
  countries,
  day,
  emails,
  favour,
  few,
  flag,
  hour,
  idAt,
  maybe,
  minute,
  moment,
  momentOf,
  noon,
  noticeTokens,
  phones,
  pick,
  sessionIds,
  times,
  tokens,
  userIds,
  type ValueOf,
} from '../pool.ts';
import { bindingSlot, clients, codeRows, counterIds, loginSlots, signInRows, userRows } from '../rows.ts';

const rule = (count: number) => [{ count, windowSeconds: 3600 }];

const otpPolicies: readonly OtpPolicy[] = [
  { lifeSeconds: 300, capSeconds: 600, attempts: 3, failuresPerRecipient: rule(3), failuresPerCaller: rule(4) },
  { lifeSeconds: 300, capSeconds: 600, attempts: 2, failuresPerRecipient: [], failuresPerCaller: [] },
];

export const guess = fc.record({
  isRight: fc.constantFrom(true, true, false),
  asker: maybe(pick(['asker 0', 'asker 1'])),
  device: maybe(pick(['device 0', 'device 1'])),
  caller: favour(callers),
  policy: pick(otpPolicies),
  at: moment,
});

export function attemptOf(
  { isRight, asker, device, caller, policy, at }: ValueOf<typeof guess>,
  slot: string,
  subject: CodeSubject,
  index: number,
): CodeAttempt {
  return {
    slot,
    budget: budgetOf(subject.recipient),
    caller,
    asker,
    device,
    seed: { id: idAt(0, `seed${index}`), nonce: `nonce of ${index}`, secretId: 'abcd' },
    subject,
    given: isRight ? '271828' : '314159',
    fixed: '271828',
    keys: [],
    policy,
    markKey,
    now: momentOf(at, index),
  };
}

function deviceOf(knownUser: number | undefined, now: number, index: number): SigningDevice {
  const knownUserId = knownUser === undefined ? undefined : userIds[knownUser];
  return { knownUserId, isReported: index % 3 !== 0, notice: noticeDraftOf(now, `dev${index}`) };
}

function draftOf(now: number, index: number, method: 'sms' | 'link', perUser = 2): SessionDraft {
  const policy = { idleSeconds: 86_400, lifeSeconds: 9 * 86_400, graceSeconds: 30, perUser };
  const draft = {
    id: asSessionId(idAt(0, `new${index}`)),
    seedHash: `seed of ${index}`,
    userAgent: 'Agent/2',
    ip: '192.0.2.1',
  };
  return { ...draft, method, policy, now };
}

/** A code is almost always that of the number. Only another one lets a user sign in twice in one batch. */
const phoneSignIn = fc.record({
  guess,
  phone: pick([0, 0, 0, 1, 2, 3]),
  perUser: pick([1, 2]),
  knownUser: maybe(few(2)),
  otherCode: fc.option(few(3), { nil: undefined, freq: 2 }),
  country: favour(countries),
  countsUse: flag,
  isSignupOpen: fc.constantFrom(true, true, false),
  /** Short enough for most accounts to be unused for long. */
  recycledSeconds: pick([99 * 86_400, 30 * 60, 86_400 - 1, 8 * 86_400]),
});

const sendPolicies = [
  { resendAfterSeconds: [30, 60], perRecipient: rule(2), perIp: rule(3) },
  { resendAfterSeconds: [], perRecipient: rule(3), perIp: [] },
];

const brakes = [
  { countries: [], perDay: 3, perCountryPerDay: 2, perPrefix: rule(2), unused: { share: 0.5, least: 2 } },
  { countries: [], perDay: 0, perCountryPerDay: 0, perPrefix: [], unused: { share: 0.3, least: 1 } },
];

const sending = fc.record({
  to: favour([0, 1, 2, 3]),
  hasCode: fc.constantFrom(true, true, true, false),
  isTest: fc.constantFrom(false, false, false, true),
  caller: favour(callers),
  captcha: maybe(pick(['captcha 0', 'captcha 1'])),
  country: favour(countries),
  policy: pick(sendPolicies),
  brake: maybe(pick(brakes)),
  secretIds: maybe(pick([['abcd'], ['other']])),
  at: moment,
});

function requestOf(chosen: ValueOf<typeof sending>, index: number): SendRequest {
  const { to, hasCode, isTest, caller, captcha, country, policy, brake, secretIds } = chosen;
  const now = momentOf(chosen.at, index);
  const phone = phones[to] ?? asPhone('');
  const key = asEmailKey((emails[to % emails.length] ?? '').toLowerCase());
  const purpose = hasCode ? ('phone-login' as const) : ('login-link' as const);
  const times = { createdAt: now, expiresAt: now + 5 * minute };
  const id = idAt(0, `send${index}`);
  const seed = { id: `seed ${index}`, nonce: `nonce of ${index}`, secretId: 'abcd' };
  const check = { purpose, recipient: hasCode ? phone : key, ip: caller, policy, now };
  const source = { secretId: 'abcd', nonce: 'nonce', browserHash: 'browser' };
  const audit = { kind: hasCode ? ('otp.requested' as const) : ('link.requested' as const), detail: { country } };
  const gate = {
    check: isTest ? undefined : check,
    brake: isTest || !hasCode || brake === undefined ? undefined : { phone, country, policy: brake, now },
    captcha: captcha === undefined ? undefined : { id: captcha, sweepAt: now + hour },
    audit,
    now,
  };
  if (!hasCode) {
    const message = {
      id,
      channel: 'mail' as const,
      kind: 'login-link' as const,
      payload: { to: key, language: 'en' as const, ...source },
    };
    return { ...gate, challenge: undefined, message: { ...message, ...times } };
  }
  const payload = { to: phone, language: 'en' as const };
  const message = { id, channel: 'sms' as const, kind: 'phone-login' as const, payload, ...times };
  const offer = { ...seed, ...(secretIds !== undefined && { secretIds }) };
  const challenge = { purpose: 'phone-login' as const, slot: loginSlots[to] ?? '', seed: offer };
  return {
    ...gate,
    challenge: { ...challenge, policy: otpPolicies[0] as OtpPolicy },
    message: isTest ? undefined : message,
  };
}

function signInOf(
  { guess: given, phone, otherCode, perUser, knownUser, ...rest }: ValueOf<typeof phoneSignIn>,
  index: number,
): PhoneSignIn {
  const recipient = phones[phone] ?? asPhone('');
  const slot = loginSlots[otherCode ?? phone] ?? '';
  const attempt = attemptOf(given, slot, { purpose: 'phone-login', recipient }, index);
  const newUserId = asUserId(idAt(0, `user${index}`));
  const session = draftOf(attempt.now, index, 'sms', perUser);
  const device = deviceOf(knownUser, attempt.now, index);
  return { attempt, phone: recipient, ...rest, newUserId, session, device };
}

const phoneClaim = fc.record({
  user: favour([0, 1, 2]),
  /** Almost always the number of the user. */
  otherPhone: fc.option(few(3), { nil: undefined, freq: 4 }),
  usedAgo: pick([0, hour, day, 7 * day]),
  isSignupOpen: fc.constantFrom(true, true, false),
  knownUser: maybe(few(2)),
  at: moment,
});

function claimOf(chosen: ValueOf<typeof phoneClaim>, index: number): PhoneClaim {
  const { user, otherPhone, usedAgo, isSignupOpen, knownUser, at } = chosen;
  const now = momentOf(at, index);
  const ticket = {
    userId: userIds[user] ?? asUserId(''),
    phone: phones[otherPhone ?? user] ?? asPhone(''),
    lastUse: noon - usedAgo,
  };
  return {
    ticket,
    isSignupOpen,
    newUserId: asUserId(idAt(0, `user${index}`)),
    session: draftOf(now, index, 'sms'),
    device: deviceOf(knownUser, now, index),
    notice: mailNoticeOf('phone-lost', now, `lost${index}`),
  };
}

const sessionProof = fc.record({
  guess,
  byEmail: guess,
  /** Undefined: the user has no address, as far as the caller has seen. */
  email: maybe(favour([0, 1, 2])),
  session: favour([0, 1, 2, 5]),
  user: favour([0, 1, 2]),
  /** Undefined: without a refresh token. */
  counter: fc.option(favour([1, 0, 2, 3]), { nil: undefined, freq: 4 }),
  client: fc.constantFrom(undefined, ...clients),
  country: maybe(favour(countries)),
});

function proofOf(chosen: ValueOf<typeof sessionProof>, index: number): SessionProof {
  const { guess: given, byEmail, email, session, user, counter, client, country } = chosen;
  const userId = userIds[user] ?? asUserId('');
  const candidate = (proof: 'sms' | 'email', asked: ValueOf<typeof guess>, recipient: string) => {
    const subject: CodeSubject =
      proof === 'sms'
        ? { purpose: 'proof-phone', recipient: asPhone(recipient), userId }
        : { purpose: 'proof-email', recipient: asEmailKey(recipient), userId };
    const slot = challengeSlot(subject.purpose, subject.recipient, userId);
    return { proof, attempt: attemptOf(asked, slot, subject, index), country: proof === 'sms' ? country : undefined };
  };
  const sms = candidate('sms', given, phones[user] ?? '');
  const mail =
    email === undefined ? [] : [candidate('email', { ...byEmail, at: given.at }, (emails[email] ?? '').toLowerCase())];
  return {
    userId,
    candidates: [sms, ...mail],
    rotation: {
      sessionId: sessionIds[session] ?? asSessionId(''),
      seedHash: counter === undefined ? `seed of proof ${index}` : `seed ${session}`,
      counter,
      ...(client !== undefined && { client }),
      policy: { idleSeconds: 3600, lifeSeconds: 9 * 86_400, graceSeconds: 30, perUser: 2 },
      now: sms.attempt.now,
    },
    ip: '192.0.2.1',
  };
}

/** Calls that write an audit event of a failure, at another time than all others. */
export function failuresAt(now: number) {
  const chosen = { to: 0, hasCode: true, isTest: false, caller: '192.0.2.1', captcha: undefined, country: 'DE' };
  const [policy = assert.fail(), brake = assert.fail()] = [sendPolicies[1], brakes[0]];
  const sends = [0, 1].map((index) => {
    const { challenge, ...request } = requestOf({ ...chosen, policy, brake, secretIds: undefined, at: 0 }, index);
    assert.ok(challenge);
    return {
      ...request,
      challenge,
      message: undefined,
      brake: { phone: asPhone(''), country: 'DE', policy: { ...brake, perDay: 1 }, now },
      now,
    };
  });
  const given = {
    isRight: false,
    asker: undefined,
    device: undefined,
    caller: '192.0.2.1',
    policy: otpPolicies[1] ?? assert.fail(),
    at: 0,
  };
  const signIn = signInOf(
    {
      guess: given,
      phone: 0,
      perUser: 1,
      knownUser: undefined,
      otherCode: undefined,
      country: 'DE',
      countsUse: false,
      isSignupOpen: true,
      recycledSeconds: 86_400,
    },
    0,
  );
  return { sends, signIn: { ...signIn, attempt: { ...signIn.attempt, now } } };
}

export const signInInputs = {
  'sendRequests.request': inputsOf(codeRows, sending, requestOf),
  'sendRequests.noteSuspension': inputsOf(
    codeRows,
    fc.record({ rule: pick(brakeRules), country: favour(countries), until: times, at: moment }),
    ({ at, ...suspension }, index) => ({ ...suspension, now: momentOf(at, index) }),
  ),
  'signIns.signInWithPhone': inputsOf(signInRows, phoneSignIn, signInOf),
  'signIns.signInWithLink': inputsOf(
    signInRows,
    fc.record({ token: favour(tokens), knownUser: maybe(few(2)), at: moment }),
    ({ token, knownUser, at }, index) => ({
      tokenHash: token,
      session: draftOf(momentOf(at, index), index, 'link'),
      device: deviceOf(knownUser, momentOf(at, index), index),
    }),
  ),
  'signIns.claimPhone': inputsOf(signInRows, phoneClaim, claimOf),
  'bindings.bindEmail': inputsOf(
    signInRows,
    fc.record({
      guess: guess.map((given) => ({ ...given, isRight: true })),
      user: few(2),
      email: favour([0, 1, 2]),
      mayReplace: fc.constantFrom(true, true, false),
    }),
    ({ guess: given, user, email, mayReplace }, index) => {
      const address = emails[email] ?? asEmail('');
      const userId = userIds[user] ?? asUserId('');
      const emailKey = asEmailKey(address.toLowerCase());
      const subject = { purpose: 'email-binding' as const, recipient: emailKey, userId };
      const attempt = attemptOf(given, bindingSlot(user, email), subject, index);
      const { now } = attempt;
      const draft = { id: idAt(0, `note${index}`), channel: 'mail' as const, kind: 'email-replaced' as const };
      const notice = {
        ...draft,
        payload: { to: '' as const, language: 'en' as const },
        createdAt: now,
        expiresAt: now + hour,
      };
      const notices = {
        replaced: mailNoticeOf('email-replaced', now, `rep${index}`),
        bound: mailNoticeOf('email-bound', now, `bound${index}`),
        sms: index % 2 === 0 ? smsNoticeOf('email-bound', now, `sms${index}`) : undefined,
      };
      const toSend = index % 3 === 0 ? undefined : notices;
      return { attempt, userId, address, emailKey, mayReplace, notice, notices: toSend, now };
    },
  ),
  'proofs.prove': inputsOf(signInRows, sessionProof, proofOf),
  'links.issueLink': inputsOf(
    userRows,
    fc.record({ email: favour(emails), token: favour(tokens), isNew: flag, askedAgo: few(30), at: moment }),
    ({ email, token, isNew, askedAgo, at }, index) => ({
      emailKey: asEmailKey(email.toLowerCase()),
      tokenHash: isNew ? `new token ${index}` : token,
      browserHash: 'browser',
      authorizationTicket: index % 2 === 0 ? `ticket ${index}` : undefined,
      lifeSeconds: 900,
      requestedAt: momentOf(at, index) - askedAgo * 7 * minute,
      now: momentOf(at, index),
    }),
  ),
  'links.findLink': inputsOf(
    userRows,
    fc.record({ tokenHash: favour(tokens), at: moment }),
    ({ tokenHash, at }, index) => ({
      tokenHash,
      now: momentOf(at, index),
    }),
  ),
  'bindings.findOwner': inputsOf(userRows, favour(emails), (email) => asEmailKey(email.toLowerCase())),
  'bindings.removeEmail': inputsOf(
    userRows,
    fc.record({ userId: favour(userIds), hasNotices: flag, at: moment }),
    ({ userId, hasNotices, at }, index) => {
      const now = momentOf(at, index);
      const mail = mailNoticeOf('email-removed', now, `gone${index}`);
      const sms = smsNoticeOf('email-removed', now, `text${index}`);
      return hasNotices ? { userId, notices: { mail, sms }, now } : { userId, by, isRepeat: index % 2 === 0, now };
    },
  ),
  'notices.redeemNotice': inputsOf(
    userRows,
    fc.record({ tokenHash: favour(noticeTokens), at: moment }),
    ({ tokenHash, at }, index) => {
      const now = momentOf(at, index);
      return { tokenHash, cancelled: phoneNoticesOf('phone-change-cancelled', now, `cancelled${index}`), now };
    },
  ),
  'notices.admitNoticeSms': inputsOf(
    codeRows,
    fc.record({
      to: favour([0, 1]),
      country: favour(countries),
      brake: pick(brakes),
      topic: favour(smsTopics),
      message: few(3),
      at: moment,
    }),
    ({ to, country, brake, topic, message, at }, index) => ({
      phone: phones[to] ?? asPhone(''),
      country,
      policy: brake,
      topic,
      messageId: `notice ${message}`,
      createdAt: momentOf(at, index),
      now: momentOf(at, index),
    }),
  ),
  'limits.read': inputsOf(codeRows, favour(counterIds), (id) => id),
  'limits.list': inputsOf(
    codeRows,
    fc.record({ prefix: pick(['', 'failures:', 'sms']), most: fc.integer({ min: 1, max: 4 }) }),
    (listing) => listing,
  ),
  'limits.clear': inputsOf(
    codeRows,
    fc.record({ ids: fc.array(favour(counterIds), { maxLength: 8 }), userId: maybe(favour(userIds)), at: moment }),
    ({ ids, userId, at }, index) => ({
      ids,
      ...(userId !== undefined && { userId }),
      detail: { ...by },
      now: momentOf(at, index),
    }),
  ),
} satisfies Partial<AllInputs>;
