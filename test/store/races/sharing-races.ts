// The races of two processes about links to files and their readers.

import type { LinkOpening } from '../../../src/files/sharing/file-link.ts';
import type { Ports } from '../../../src/store/ports.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { store } from '../../helpers/store/file-fixtures.ts';
import { hour, newPhone, noon, signIn } from '../../helpers/store/fixtures.ts';
import { fileOf, userOf } from './file-races.ts';
import type { Race } from './race.ts';

const linkOf = (round: number) => `link-${round}`;
const own = (round: number) => ({ fileId: fileOf(round), userId: asUserId(userOf(round)), now: noon });
const opening = (round: number): LinkOpening => ({
  fileId: fileOf(round),
  linkId: linkOf(round),
  epoch: 0,
  expiresAt: noon + hour,
  now: noon,
});

const beginWithLink = (uses: number | undefined) => async (ports: Ports, round: number) => {
  await signIn(ports, newPhone(), noon, { newUserId: asUserId(userOf(round)) });
  await store(ports, asUserId(userOf(round)), noon, { file: { id: fileOf(round) } });
  const ask = { ...own(round), id: linkOf(round), expiresAt: noon + hour, uses, purposes: ['image'] };
  await ports.sharing.createLink(ask);
};

const count = async ({ sharing }: Ports, round: number) =>
  (await sharing.countUse(opening(round))) ? 'counted' : 'refused';

export const sharingRaces = {
  'the last use of a link': { prepare: beginWithLink(1), run: count },
  /** All rounds use one link: each side tries it in every round. */
  'the uses of one link': {
    prepare: (ports, round) => (round === 1 ? beginWithLink(37)(ports, 1) : Promise.resolve()),
    run: (ports) => count(ports, 1),
  },
  'a use and the revocation of a link': {
    prepare: beginWithLink(1),
    run: async (ports, round, side) =>
      side === 0 ? count(ports, round) : String(await ports.sharing.revokeLinks(own(round))),
  },
  'a link and the deletion of its account': {
    prepare: beginWithLink(undefined),
    run: async (ports, round, side) => {
      if (side === 1)
        return `${(await ports.users.deleteUser({ userId: asUserId(userOf(round)), now: noon })).fileIds.length} files`;
      const ask = {
        ...own(round),
        id: `second-${round}`,
        expiresAt: noon + hour,
        uses: undefined,
        purposes: ['image'],
      };
      const made = await ports.sharing.createLink(ask);
      return typeof made === 'string' ? made : 'made';
    },
  },
  /** Each side deletes one of two users who read files of each other. */
  'two accounts that read each other': {
    prepare: async (ports, round) => {
      for (const side of [0, 1]) {
        const userId = asUserId(`${userOf(round)} ${side}`);
        await signIn(ports, newPhone(), noon, { newUserId: userId });
        const { id: fileId } = await store(ports, userId, noon);
        const readers = [`${userOf(round)} ${1 - side}`, 'nobody'].map(asUserId);
        await ports.sharing.setReaders({ fileId, userId, readers, purposes: ['image'], now: noon });
      }
    },
    run: async (ports, round, side) =>
      `${(await ports.users.deleteUser({ userId: asUserId(`${userOf(round)} ${side}`), now: noon })).fileIds.length} files`,
  },
} as const satisfies Record<string, Race>;
