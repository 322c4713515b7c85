// The races of two processes about the codes, sessions and consents of apps.

import type { Ports } from '../../../src/store/ports.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { authorization, exchange } from '../../helpers/store/app-fixtures.ts';
import { noon, sessionPolicy } from '../../helpers/store/fixtures.ts';
import type { Race } from './race.ts';
import { begin, sessionOf, userOf } from './races.ts';

const codeOf = (round: number) => `code of ${round}`;

const beginWithCode = async (ports: Ports, round: number) => {
  await begin(ports, round);
  await ports.appStore.authorize(authorization(sessionOf(round), noon, { codeHash: codeOf(round) }));
};

const swap = async (ports: Ports, round: number) =>
  (await ports.appStore.exchangeCode(exchange(codeOf(round), noon))).kind;

const signOut = async (ports: Ports, round: number) => {
  const ending = {
    userId: asUserId(userOf(round)),
    sessionId: sessionOf(round),
    scope: 'this',
    reason: 'logged out',
  } as const;
  return `ended ${(await ports.sessions.endSessions({ ...ending, now: noon })).length}`;
};

const rotation = (round: number, now: number) => ({
  sessionId: sessionOf(round),
  seedHash: 'seed',
  counter: 0,
  policy: sessionPolicy,
  now,
});

export const appRaces = {
  'one code of an app': { prepare: beginWithCode, run: (ports, round) => swap(ports, round) },
  'a code and a sign-out': {
    prepare: beginWithCode,
    run: (ports, round, side) => (side === 0 ? swap(ports, round) : signOut(ports, round)),
  },
  'a code and a reused refresh token': {
    prepare: async (ports, round) => {
      await beginWithCode(ports, round);
      await ports.sessions.rotate(rotation(round, noon - 60_000));
    },
    run: async (ports, round, side) =>
      side === 0 ? swap(ports, round) : (await ports.sessions.rotate(rotation(round, noon))).kind,
  },
  'a code and a withdrawn consent': {
    prepare: beginWithCode,
    run: async (ports, round, side) => {
      if (side === 0) return swap(ports, round);
      await ports.appStore.withdrawConsent({ userId: asUserId(userOf(round)), appId: 'shop', now: noon });
      return 'withdrawn';
    },
  },
  'two consents': {
    prepare: (ports, round) => begin(ports, round),
    run: async (ports, round, side) => {
      const scopes = side === 0 ? (['openid', 'phone'] as const) : (['openid', 'email'] as const);
      await ports.appStore.saveConsent({ userId: asUserId(userOf(round)), appId: 'shop', scopes, now: noon });
      return 'saved';
    },
  },
} as const satisfies Record<string, Race>;
