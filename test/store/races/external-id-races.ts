// The races of two processes about the external ids of users.

import type { UserId } from '../../../src/kernel/ids.ts';
import type { Ports } from '../../../src/store/ports.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';
import type { Race } from './race.ts';
import { begin, userOf } from './races.ts';

const beginBoth = (ports: Ports, round: number) => Promise.all([begin(ports, round, 0), begin(ports, round, 1)]);

const give = async (ports: Ports, userId: UserId, externalId: string | null) => {
  const by = { actor: 'service', key: 'key', why: '' } as const;
  return (await ports.backendUsers.change({ userId, patch: { externalId }, by, now: noon })).kind;
};

export const externalIdRaces = {
  'one external id for two users': {
    prepare: beginBoth,
    run: (ports, round, side) => give(ports, asUserId(userOf(round, side)), `one ${round}`),
  },
  'external ids exchanged crosswise': {
    prepare: async (ports, round) => {
      await beginBoth(ports, round);
      for (const side of [0, 1]) await give(ports, asUserId(userOf(round, side)), `cross ${round} ${side}`);
    },
    run: (ports, round, side) => give(ports, asUserId(userOf(round, side)), `cross ${round} ${1 - side}`),
  },
  'an external id that is freed and taken': {
    prepare: async (ports, round) => {
      await beginBoth(ports, round);
      await give(ports, asUserId(userOf(round)), `freed ${round}`);
    },
    run: (ports, round, side) => give(ports, asUserId(userOf(round, side)), side === 0 ? null : `freed ${round}`),
  },
} as const satisfies Record<string, Race>;
