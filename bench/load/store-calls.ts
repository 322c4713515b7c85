// The calls of users on an open store, as the benchmarks of growth make them: a refresh, a sign-in, and the first one of a user.

import { randomInt } from 'node:crypto';
import { budgetOf } from '../../src/auth/codes/attempt-budget.ts';
import { challengeSlot, type OtpPolicy } from '../../src/auth/codes/challenge.ts';
import { newId, randomText } from '../../src/kernel/crypto/random.ts';
import { newUserId } from '../../src/kernel/ids.ts';
import type { PhoneNumber } from '../../src/kernel/recipient.ts';
import type { Ports } from '../../src/store/ports.ts';
import { asPhone, asSessionId } from '../../test/helpers/people/ids.ts';
import { phoneAt, sessionIdAt } from './fill.ts';

const otp: OtpPolicy = {
  lifeSeconds: 300,
  capSeconds: 600,
  attempts: 5,
  failuresPerRecipient: [{ count: 15, windowSeconds: 86_400 }],
  failuresPerCaller: [],
};
const session = { idleSeconds: 30 * 86_400, lifeSeconds: 180 * 86_400, graceSeconds: 30, perUser: 20 };

export type Side = {
  readonly ports: Ports;
  readonly users: number;
  readonly sessions: number;
  readonly counters: Map<number, number>;
};
export type Work = (side: Side) => Promise<void>;

export async function refresh({ ports, sessions, counters }: Side): Promise<void> {
  const index = randomInt(sessions);
  const counter = counters.get(index) ?? 0;
  counters.set(index, counter + 1);
  const rotation = {
    sessionId: asSessionId(sessionIdAt(index)),
    seedHash: 'seed',
    counter,
    policy: session,
    now: Date.now(),
  };
  const { kind } = await ports.sessions.rotate(rotation);
  if (kind !== 'renewed') throw new Error(`refresh: ${kind}`);
}

export function signIn(side: Side): Promise<void> {
  return signInAs(side, asPhone(phoneAt(randomInt(side.users))));
}

export function firstSignIn(side: Side): Promise<void> {
  return signInAs(side, asPhone(`+2${randomInt(10 ** 12)}`));
}

/** All commits of a sign-in: the code is requested, its message finished, and the code consumed. */
async function signInAs({ ports }: Side, phone: PhoneNumber): Promise<void> {
  const now = Date.now();
  const slot = challengeSlot('phone-login', phone);
  const seed = { id: newId(), nonce: randomText(16), secretId: 'abcd' };
  const payload = { to: phone, language: 'en' as const };
  const message = {
    id: newId(),
    channel: 'sms' as const,
    kind: 'phone-login' as const,
    payload,
    createdAt: now,
    expiresAt: now,
  };
  await ports.sendRequests.request({
    check: undefined,
    brake: undefined,
    captcha: undefined,
    challenge: { purpose: 'phone-login', slot, seed, policy: otp },
    message,
    audit: { kind: 'otp.requested', detail: {} },
    now,
  });
  await ports.outbox.finish(message.id);
  const { kind } = await ports.signIns.signInWithPhone({
    attempt: {
      slot,
      budget: budgetOf(phone),
      caller: '192.0.2.1',
      seed,
      subject: { purpose: 'phone-login', recipient: phone },
      given: '271828',
      fixed: '271828',
      keys: [],
      markKey: '',
      policy: otp,
      now,
    },
    phone,
    country: 'DE',
    countsUse: false,
    recycledSeconds: 180 * 86_400,
    isSignupOpen: true,
    newUserId: newUserId(),
    session: {
      id: asSessionId(newId()),
      seedHash: 'seed',
      userAgent: 'Bench/1',
      ip: '192.0.2.1',
      method: 'sms',
      policy: session,
      now,
    },
  });
  // Two callers may choose the same user at the same moment. One of them then loses.
  if (kind !== 'signed in' && kind !== 'lost') throw new Error(`sign-in: ${kind}`);
}
