// The races of two processes about scheduled changes of phone numbers. A round of changes takes whatever is due, of any user.

import { preparePhoneNotices } from '../../../src/auth/identity/phone-change.ts';
import { draftNotice } from '../../../src/auth/notices/notice.ts';
import { createSecrets } from '../../../src/kernel/crypto/secrets.ts';
import { newUserId } from '../../../src/kernel/ids.ts';
import type { Ports } from '../../../src/store/ports.ts';
import { asPhone, asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon, phoneSignIn } from '../../helpers/store/fixtures.ts';
import type { Race } from './race.ts';
import { begin, codeOf, openCode, phoneOf, userOf } from './races.ts';

const secrets = createSecrets('the secret '.repeat(4));

const noticesAt = (now: number) => preparePhoneNotices(secrets, 'phone-change-cancelled', { language: 'en', now });

/** Every user gets another last digit at noon. */
const allAtNoon = `update users set next_phone = substr(phone, 1, length(phone) - 1) || '7',
  next_phone_at = ${noon}, next_phone_language = 'en'`;

export async function applyDue(ports: Ports, most: number): Promise<string> {
  const notices = Array.from({ length: most }, () => noticesAt(noon));
  const outcomes = await ports.scheduledPhones.applyPhoneChanges({ notices, waitSeconds: 60, now: noon });
  return outcomes.map(({ kind }) => kind).join();
}

const signInAs = async (ports: Ports, round: number, phone: string) => {
  const notice = draftNotice(secrets, { language: 'en', now: noon });
  const device = { knownUserId: undefined, isReported: false, notice };
  const input = phoneSignIn(codeOf(`phone ${round}`), asPhone(phone), noon, {
    newUserId: newUserId(),
    device,
  });
  const outcome = await ports.signIns.signInWithPhone(input);
  if (outcome.kind !== 'signed in') return outcome.kind;
  if (outcome.isNewUser) return 'new user';
  return outcome.hasCancelled ? 'cancelled' : 'signed in';
};

const beginWithCode = (ports: Ports, round: number) =>
  Promise.all([begin(ports, round), openCode(ports, `phone ${round}`)]);

export const phoneRaces = {
  'changes that are due': {
    prepare: (ports, round) => begin(ports, round),
    sql: allAtNoon,
    run: (ports) => applyDue(ports, 2),
  },
  'a cancellation and a change that is due': {
    prepare: (ports, round) => begin(ports, round),
    sql: allAtNoon,
    run: async (ports, round, side) => {
      if (side === 1) return applyDue(ports, 1);
      const input = {
        userId: asUserId(userOf(round)),
        sessionId: asSessionId('session'),
        notices: noticesAt(noon),
        now: noon,
      };
      return (await ports.scheduledPhones.cancelPhoneChange(input)) ? 'cancelled' : 'too late';
    },
  },
  'a sign-in with the old number and a change that is due': {
    prepare: beginWithCode,
    sql: allAtNoon,
    run: (ports, round, side) => (side === 1 ? applyDue(ports, 1) : signInAs(ports, round, `${phoneOf(round)}0`)),
  },
  'a sign-in with the new number and a change that is due': {
    prepare: beginWithCode,
    sql: allAtNoon,
    run: (ports, round, side) => (side === 1 ? applyDue(ports, 1) : signInAs(ports, round, `${phoneOf(round)}7`)),
  },
} as const satisfies Record<string, Race>;
