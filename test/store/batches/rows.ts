// Generated rows of users, their codes, links, sessions, limits and files, from which every run of a case starts.

import fc from 'fast-check';
import { callerCounters } from '../../../src/abuse/caller-limits.ts';
import { sendCounterIds } from '../../../src/abuse/sends.ts';
import { dayCounter, prefixId, usageCounterId } from '../../../src/abuse/sms-brake.ts';
import { suspensionId } from '../../../src/abuse/suspension.ts';
import { budgetIds, failuresByCaller } from '../../../src/auth/codes/attempt-budget.ts';
import { challengeSlot, challengeStates } from '../../../src/auth/codes/challenge.ts';
import { linkStates } from '../../../src/auth/links/login-link.ts';
import { noticeLinkKinds } from '../../../src/auth/notices/notice.ts';
import { noticeLinkStates } from '../../../src/auth/notices/notice-link.ts';
import { writeLateRepeats } from '../../../src/auth/sessions/late-repeat.ts';
import { writeRotatedBy } from '../../../src/auth/sessions/rotation-client.ts';
import { proofMethods, sessionEnds } from '../../../src/auth/sessions/session.ts';
import type { Recipient } from '../../../src/kernel/recipient.ts';
import type { Row } from '../../../src/store/engine/schema.ts';
import { asEmail, asEmailKey, asPhone, asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { makeUserRow } from '../../helpers/people/user.ts';
import { appCodes, appConsents, origin, originColumns } from './app-rows.ts';
import {
  callers,
  countries,
  day,
  emails,
  externalIds,
  favour,
  few,
  hour,
  maybe,
  minute,
  noon,
  noticeTokens,
  phones,
  pick,
  second,
  sessionIds,
  times,
  tokens,
  userIds,
  type ValueOf,
} from './pool.ts';
import { joined, type Rows, rowsFor } from './tables.ts';

const person = fc.record({
  isThere: fc.constantFrom(true, true, true, true, false),
  hasEmail: fc.constantFrom(true, true, false),
  isBlocked: fc.constantFrom(false, false, false, true),
  hasPhone: fc.constantFrom(true, true, true, false),
  hasAppData: fc.constantFrom(true, false),
  nextPhone: fc.option(pick(phones), { nil: undefined, freq: 2 }),
  nextAt: fc.constantFrom(0, noon - hour, noon - 1, noon + hour),
  /** Undefined: an older version wrote the row. */
  seenAgo: fc.constantFrom(undefined, hour, day, 8 * day, 9 * day),
});

const link = fc.record({
  user: few(2),
  /** Undefined: the address that the user has. */
  otherEmail: fc.option(few(2), { nil: undefined, freq: 2 }),
  state: fc.constantFrom('issued', 'issued', ...linkStates),
  life: fc.constantFrom(-minute, minute, day),
});

/** User and address move by the same step, so that no two users have one address. */
const usersAndLinks: fc.Arbitrary<Rows> = fc
  .tuple(few(2), fc.tuple(...userIds.map(() => person)), fc.tuple(...tokens.slice(0, 4).map(() => maybe(link))))
  .map(([step, people, links]) => {
    const emailOf = (user: number) => emails[(user + step) % emails.length] ?? asEmail('');
    return {
      users: people.flatMap((one, at): Row<'users'>[] => {
        const { isThere, hasEmail, isBlocked, hasPhone, hasAppData, nextPhone, nextAt, seenAgo } = one;
        if (!isThere) return [];
        const email = hasEmail ? emailOf(at) : null;
        const phone = hasPhone ? (phones[at] ?? asPhone('')) : null;
        const isNext = nextPhone !== undefined;
        return [
          makeUserRow({
            id: userIds[at] ?? asUserId(''),
            phone,
            email,
            email_key: email === null ? null : asEmailKey(email.toLowerCase()),
            blocked_at: isBlocked ? noon - day : null,
            created_at: noon - 9 * day,
            seen_at: seenAgo === undefined ? null : noon - seenAgo,
            next_phone: nextPhone ?? null,
            next_phone_at: isNext ? nextAt : null,
            next_phone_language: isNext ? 'en' : null,
            external_id: hasAppData ? (externalIds[at] ?? '') : null,
            claims: hasAppData ? '{"plan":"pro"}' : null,
            metadata_public: hasAppData ? '{"theme":"dark"}' : null,
          }),
        ];
      }),
      login_links: links.flatMap((chosen, at): Row<'login_links'>[] => {
        if (chosen === undefined) return [];
        const { user, otherEmail, state, life } = chosen;
        const email = otherEmail === undefined ? emailOf(user) : (emails[otherEmail] ?? asEmail(''));
        const ends = { created_at: noon - hour + at, expires_at: noon + life, sweep_at: noon + life + day };
        const owner = {
          user_id: userIds[user] ?? asUserId(''),
          email_key: asEmailKey(email.toLowerCase()),
          browser_hash: 'browser',
        };
        return [{ token_hash: tokens[at] ?? '', ...owner, state, ...ends, authorization_ticket: null }];
      }),
    };
  });

export const loginSlots = phones.map((phone) => challengeSlot('phone-login', phone));
export const bindingSlot = (user: number, email: number) =>
  challengeSlot('email-binding', asEmailKey((emails[email] ?? '').toLowerCase()), userIds[user] ?? '');
const bindingSlots = userIds.flatMap((_, user) => emails.map((_email, email) => bindingSlot(user, email)));

const phoneSlots = userIds.flatMap((userId) => phones.map((phone) => challengeSlot('phone-change', phone, userId)));

const proofSlots = userIds.flatMap((userId, user) => [
  challengeSlot('proof-phone', phones[user] ?? asPhone(''), userId),
  ...emails.map((email) => challengeSlot('proof-email', asEmailKey(email.toLowerCase()), userId)),
]);

const usableChallenge = {
  state: 'pending' as const,
  attempts: 0,
  asker_attempts: 0,
  device_attempts: 0,
  sent_at: null,
  openedAgo: minute,
  life: 3 * hour,
};

const challenge = fc.oneof(
  fc.constant(usableChallenge),
  fc.record({
    state: pick(challengeStates),
    attempts: few(3),
    asker_attempts: few(3),
    device_attempts: few(3),
    sent_at: fc.constant(null),
    openedAgo: fc.constantFrom(0, minute, 9 * minute, 15 * minute),
    life: fc.constantFrom(-minute, 2 * second, 5 * minute, 3 * hour),
  }),
);

const challengesAt = (slots: readonly string[]) =>
  rowsFor<'challenges', ValueOf<typeof challenge>>(slots, challenge, (slot, { openedAgo, life, ...rest }, at) => ({
    slot,
    id: `challenge ${at}`,
    nonce: `nonce ${at}`,
    secret_id: 'abcd',
    ...rest,
    opened_at: noon - openedAgo,
    expires_at: noon + life,
    sweep_at: noon + life + hour,
  }));

/** The clients of all sessions. The first has moved in the last one. */
export const clients = [
  { agent: 'agent-a', network: 'network-a', device: 'device-a' },
  { agent: 'agent-b', network: 'network-b', device: '' },
  { agent: 'agent-a', network: 'network-b', device: 'device-a' },
];

const session = fc.record({
  user: favour([0, 1, 2]),
  counter: favour([1, 0, 2, 3]),
  rotatedAgo: fc.constantFrom(0, 10 * second, 29 * second, hour),
  client: fc.constantFrom(undefined, ...clients),
  lateAgo: fc.subarray([2 * day, 20 * hour, 3 * hour, hour, minute]),
  idle: favour([day, -second, 2 * second]),
  life: favour([9 * day, -minute, 10 * second]),
  provedAgo: fc.constantFrom(undefined, 0, hour),
  end: fc.option(pick(sessionEnds), { nil: undefined, freq: 2 }),
  endedAgo: fc.constantFrom(0, minute, 2 * hour, 9 * day),
  origin,
});

const sessions = rowsFor<'sessions', ValueOf<typeof session>>(sessionIds.slice(0, 5), session, (id, chosen, at) => ({
  id: asSessionId(id),
  user_id: userIds[chosen.user] ?? asUserId(''),
  seed_hash: `seed ${at}`,
  counter: chosen.counter,
  rotated_at: noon - chosen.rotatedAgo,
  created_at: noon - 8 * day,
  last_used_at: noon - 8 * day + ((at * 7) % 5),
  expires_at: noon + chosen.idle,
  ends_at: noon + chosen.life,
  ended_at: chosen.end === undefined ? null : noon - chosen.endedAgo,
  end_reason: chosen.end ?? null,
  user_agent: at % 2 === 0 ? 'Agent/1' : null,
  method: at % 2 === 0 ? 'sms' : 'link',
  rotated_by: writeRotatedBy(chosen.counter, chosen.client),
  late_repeats: writeLateRepeats(chosen.lateAgo.map((ago) => ({ rotatedAt: noon - ago, repeatedAt: noon - ago }))),
  proved_at: chosen.provedAgo === undefined ? null : noon - chosen.provedAgo,
  proof: chosen.provedAgo === undefined ? null : (proofMethods[at % 3] ?? null),
  // Those of apps come from the first two.
  ...originColumns(at < 3 ? undefined : chosen.origin),
}));

const noticeLink = fc.record({
  user: favour([0, 1, 2]),
  kind: pick(noticeLinkKinds),
  /** Undefined: the account had no number. */
  phone: maybe(pick(phones)),
  ago: few(2),
  state: fc.constantFrom('issued', 'issued', ...noticeLinkStates),
  life: fc.constantFrom(-minute, minute, day),
});

const noticeLinks = rowsFor<'notice_links', ValueOf<typeof noticeLink>>(
  noticeTokens.slice(0, 3),
  noticeLink,
  (token, { user, kind, phone, ago, state, life }) => ({
    token_hash: token,
    user_id: userIds[user] ?? asUserId(''),
    kind,
    phone: kind === 'undo-phone' ? (phone ?? null) : null,
    state,
    created_at: noon - hour - ago,
    expires_at: noon + life,
    sweep_at: noon + life + day,
  }),
);

const emailKeys = emails.map((email) => email.toLowerCase());
const someRule = [{ count: 1, windowSeconds: 3600 }];

/** The ids of the counters that the inputs touch. */
const hitCounters = [
  ...[...phones, ...emailKeys].flatMap((recipient) => [
    budgetIds(recipient).failuresId,
    ...sendIdsOf(asPhone(recipient)),
  ]),
  ...callers.flatMap((caller) => callerCounters(failuresByCaller, caller, someRule).slice(0, 1)).map(({ id }) => id),
  ...phones.map(prefixId),
  ...phones.map((phone) => budgetIds(phone).deviceReserveId),
];
const numberCounters = [noon, noon + day].flatMap((now) => [
  dayCounter(now),
  ...countries.map((country) => dayCounter(now, country)),
]);
const suspensions = countries.map((country) => suspensionId('unused', country));
const useCounters = countries.map(usageCounterId);
export const counterIds = [
  ...hitCounters,
  ...numberCounters,
  ...useCounters,
  ...suspensions,
  ...phones.map((phone) => budgetIds(phone).reserveId),
];

function sendIdsOf(recipient: Recipient): string[] {
  const policy = { resendAfterSeconds: [1], perRecipient: someRule, perIp: [] };
  return sendCounterIds({ purpose: 'phone-login', recipient, ip: '', policy, now: noon }).flatMap((id) => id ?? []);
}

const limit = (id: string, value: unknown): Row<'limits'> => ({
  id,
  hits: JSON.stringify(value),
  sweep_at: noon + 2 * hour,
});

const someOf = <T>(keys: readonly string[], value: fc.Arbitrary<T>) =>
  fc
    .uniqueArray(fc.tuple(pick(keys), value), { selector: ([key]) => key, maxLength: 3 })
    .map((all) => all.map(([key, held]) => limit(key, held)));

const slotOf = (time: number) => Math.floor(time / 600_000);
const useSlot = fc
  .tuple(few(3), few(3), few(3))
  .map(([ago, opened, used]) => [slotOf(noon) - ago, opened, used, opened]);

/** What messages may be counted in, of each form of counter. */
export const messageCounters = [
  ['recipient', hitCounters[0] ?? ''],
  ['prefix', prefixId(phones[0] ?? asPhone(''))],
  ['day', dayCounter(noon)],
  ['use', useCounters[0] ?? ''],
  ['network', 'sends-ip:network'],
] as const;
const network = fc
  .uniqueArray(few(3), { maxLength: 3 })
  .map((all) => ({ 3600: all.map((ago) => [Math.floor((noon - ago * 10 * minute) / 300_000), ago + 1]) }));

export const limits = fc
  .tuple(
    someOf(
      hitCounters,
      fc.uniqueArray(few(50), { maxLength: 4 }).map((ago) => ago.sort((a, b) => b - a).map((m) => noon - m * minute)),
    ),
    someOf(numberCounters, few(3)),
    someOf(useCounters, fc.uniqueArray(useSlot, { selector: ([slot]) => slot, maxLength: 3 })),
    someOf(suspensions, times),
    someOf(['sends-ip:network'], network),
  )
  .map((all) => all.flat());

const captchas = rowsFor<'captchas', number>(['captcha 0', 'captcha 1'], fc.constant(noon + hour), (id, sweep_at) => ({
  id,
  sweep_at,
}));

const codes: fc.Arbitrary<Rows> = fc.record({
  challenges: fc
    .tuple(challengesAt(loginSlots), challengesAt(bindingSlots), challengesAt(proofSlots), challengesAt(phoneSlots))
    .map((all) => all.flat()),
  limits,
  captchas,
});

export const codeRows = joined(usersAndLinks, codes);
export const userRows = joined(
  usersAndLinks,
  fc.record({ sessions, notice_links: noticeLinks, app_codes: appCodes, app_consents: appConsents }),
);
export const signInRows = joined(userRows, codes);
