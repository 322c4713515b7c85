// The races of two processes about the trash: a file comes back, or goes for good, or is deleted, once.

import type { Ports } from '../../../src/store/ports.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { hour, noon } from '../../helpers/store/fixtures.ts';
import { beginWithFile, fileOf, userOf } from './file-races.ts';
import type { Race } from './race.ts';

export const trashEnd = noon + hour;

const throwAway = ({ files }: Ports, round: number) =>
  files.deleteFile({ userId: asUserId(userOf(round)), id: fileOf(round), now: noon, trashUntil: trashEnd });

export const beginWithTrash = async (ports: Ports, round: number) => {
  await beginWithFile(ports, round);
  await throwAway(ports, round);
};

/** In the last moment of its time in the trash. */
export const restore = async ({ trash }: Ports, round: number) => {
  const restored = await trash.restoreFile({ userId: asUserId(userOf(round)), id: fileOf(round), now: trashEnd - 1 });
  return restored === undefined ? 'not found' : 'restored';
};

/** The ids of what it removed: also files of other rounds. */
const sweep = async ({ trash }: Ports) => (await trash.sweepFiles({ now: trashEnd, most: 3 })).join(' ');

export const trashRaces = {
  'one deletion into the trash': {
    prepare: beginWithFile,
    run: async (ports, round) => ((await throwAway(ports, round)) ? 'deleted' : 'not found'),
  },
  'a restore and the emptying of the trash': {
    prepare: beginWithTrash,
    run: async (ports, round, side) => {
      if (side === 0) return restore(ports, round);
      return `${(await ports.trash.emptyTrash({ userId: asUserId(userOf(round)), now: noon, most: 9 })).length} files`;
    },
  },
  'a restore and the sweep': {
    prepare: beginWithTrash,
    run: (ports, round, side) => (side === 0 ? restore(ports, round) : sweep(ports)),
  },
  'two sweeps': { prepare: beginWithTrash, run: sweep },
} as const satisfies Record<string, Race>;
