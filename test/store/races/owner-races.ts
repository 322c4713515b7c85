// The races of two processes about the owner of files: blocked while a file is stored or shared, and trash that makes way for an upload.

import { asUploadId, asUserId } from '../../helpers/people/ids.ts';
import { settlement } from '../../helpers/store/file-fixtures.ts';
import { hour, noon } from '../../helpers/store/fixtures.ts';
import { beginWithFile, beginWithUpload, fileOf, reserved, uploadOf, userOf } from './file-races.ts';
import type { Race, RacePorts } from './race.ts';
import { beginWithTrash, restore } from './trash-races.ts';
import { advance, beginWithUpload as beginUpload, beginWhole, settle } from './upload-races.ts';

const block = async ({ directory }: RacePorts, round: number) => {
  const by = { actor: 'cli', why: 'a race' } as const;
  await directory.actOn({ userId: asUserId(userOf(round)), act: 'block', by, now: noon });
  return 'done';
};

/** The user has one file of 100 bytes in the trash, and room for 100 bytes. */
const tight = { bytes: 100, files: 9 };

export const ownerRaces = {
  'a settlement and the block of its owner': {
    prepare: beginWithUpload,
    run: async (ports, round, side) => {
      if (side === 1) return block(ports, round);
      return (await ports.files.settle(settlement(reserved(round, { uploadId: asUploadId(uploadOf(round)) })))).kind;
    },
  },
  'the end of an upload in several requests and the block of its owner': {
    prepare: beginWhole,
    run: async (ports, round, side) =>
      side === 1 ? block(ports, round) : ((await settle(ports, round)).split(' ')[0] ?? ''),
  },
  'an advance and the block of its owner': {
    prepare: beginUpload,
    run: (ports, round, side) => (side === 1 ? block(ports, round) : advance(ports, round, 100)),
  },
  'a link and the block of its owner': {
    prepare: beginWithFile,
    run: async (ports, round, side) => {
      if (side === 1) return block(ports, round);
      const wish = {
        id: `link ${round}`,
        fileId: fileOf(round),
        userId: asUserId(userOf(round)),
        expiresAt: noon + hour,
      };
      const link = await ports.sharing.createLink({ ...wish, uses: undefined, purposes: ['image'], now: noon });
      return typeof link === 'string' ? link : 'shared';
    },
  },
  'an upload that needs the trash and a restore': {
    prepare: beginWithTrash,
    run: async (ports, round, side) =>
      side === 1 ? restore(ports, round) : (await ports.files.reserve(reserved(round, { quota: tight }))).kind,
  },
  'two uploads that need the trash': {
    prepare: beginWithTrash,
    run: async (ports, round) => (await ports.files.reserve(reserved(round, { quota: tight }))).kind,
  },
} as const satisfies Record<string, Race>;
