// The races of two processes about files: quota space, keys, and files deleted while they are stored.

import type { Reservation } from '../../../src/files/stored-file.ts';
import { sha256 } from '../../../src/kernel/crypto/digest.ts';
import type { Ports } from '../../../src/store/ports.ts';
import { asFileId, asUploadId, asUserId } from '../../helpers/people/ids.ts';
import { reservation, settlement, storedFile } from '../../helpers/store/file-fixtures.ts';
import { newPhone, noon, signIn } from '../../helpers/store/fixtures.ts';
import type { Race } from './race.ts';

export const userOf = (round: number) => `user-${round}`;
export const uploadOf = (round: number) => `upload-${round}`;
export const fileOf = (round: number) => asFileId(`fil_${sha256(`file ${round}`).slice(0, 22)}`);

const begin = (ports: Ports, round: number) => signIn(ports, newPhone(), noon, { newUserId: asUserId(userOf(round)) });

export const reserved = (round: number, changes: Partial<Reservation> = {}) =>
  reservation(asUserId(userOf(round)), noon, changes);

/** Reserves, and settles if the reservation succeeded. */
async function reserveAndSettle({ files }: Ports, wanted: Reservation): Promise<string> {
  const outcome = await files.reserve(wanted);
  if (outcome.kind === 'known') return `known ${outcome.file.id}`;
  if (outcome.kind !== 'reserved') return outcome.kind;
  const settled = settlement(wanted);
  const { kind } = await files.settle(settled);
  return kind === 'stored' ? `stored ${settled.file.id}` : kind;
}

export const beginWithUpload = async (ports: Ports, round: number) => {
  await begin(ports, round);
  await ports.files.reserve(reserved(round, { uploadId: asUploadId(uploadOf(round)) }));
};

/** As after a file that was removed. */
const beginWithUsage = async (ports: Ports, round: number) => {
  await beginWithUpload(ports, round);
  await ports.files.release(asUploadId(uploadOf(round)));
};

export const beginWithFile = async (ports: Ports, round: number) => {
  await beginWithUpload(ports, round);
  const file = storedFile(asUserId(userOf(round)), noon, { id: fileOf(round) });
  await ports.files.settle(settlement(reserved(round, { uploadId: asUploadId(uploadOf(round)) }), { file }));
};

const deleteFile = async ({ files }: Ports, round: number) =>
  (await files.deleteFile({ userId: asUserId(userOf(round)), id: fileOf(round), now: noon })) ? 'deleted' : 'not found';

/** The number of files deleted with the user. */
const deleteUser = async ({ users }: Ports, round: number) =>
  `${(await users.deleteUser({ userId: asUserId(userOf(round)), now: noon })).fileIds.length} files`;

/** All rounds use one user. */
const shared = { prepare: (ports: Ports, round: number) => (round === 1 ? begin(ports, 1) : Promise.resolve()) };

export const fileRaces = {
  'the last space of a quota': {
    prepare: begin,
    run: async (ports, round) => (await ports.files.reserve(reserved(round, { quota: { bytes: 199, files: 9 } }))).kind,
  },
  'the bytes of one user': {
    ...shared,
    run: (ports) => reserveAndSettle(ports, reserved(1, { bytes: 10, quota: { bytes: 505, files: 1000 } })),
  },
  'the bytes of one user, without reservations': {
    prepare: (ports, round) => (round === 1 ? beginWithUsage(ports, 1) : Promise.resolve()),
    run: async ({ files }) =>
      (await files.settle(settlement(reserved(1, { bytes: 10, quota: { bytes: 505, files: 1000 } })))).kind,
  },
  'the count of one user': {
    ...shared,
    run: (ports) => reserveAndSettle(ports, reserved(1, { bytes: 0, quota: { bytes: 0, files: 37 } })),
  },
  'one Idempotency-Key': {
    prepare: begin,
    run: (ports, round) => reserveAndSettle(ports, reserved(round, { keyId: `key ${round}` })),
  },
  'two late settlements of one key': {
    prepare: async (ports, round) => {
      await begin(ports, round);
      const keyId = `key ${round}`;
      for (const side of [0, 1])
        await ports.files.reserve(
          reserved(round, { keyId, uploadId: asUploadId(`${uploadOf(round)} ${side}`), leaseUntil: noon }),
        );
    },
    run: async (ports, round, side) => {
      const wanted = reserved(round, { keyId: `key ${round}`, uploadId: asUploadId(`${uploadOf(round)} ${side}`) });
      return (await ports.files.settle(settlement(wanted))).kind;
    },
  },
  'one deletion of one file': { prepare: beginWithFile, run: deleteFile },
  'a file and its account': {
    prepare: beginWithFile,
    run: (ports, round, side) => (side === 0 ? deleteFile(ports, round) : deleteUser(ports, round)),
  },
  'a settlement and the deletion of its account': {
    prepare: beginWithUpload,
    run: async (ports, round, side) => {
      if (side === 1) return deleteUser(ports, round);
      return (await ports.files.settle(settlement(reserved(round, { uploadId: asUploadId(uploadOf(round)) })))).kind;
    },
  },
  'a first upload and the deletion of its account': {
    prepare: begin,
    run: (ports, round, side) =>
      side === 1
        ? deleteUser(ports, round)
        : reserveAndSettle(ports, reserved(round)).then((outcome) => outcome.split(' ')[0] ?? ''),
  },
} as const satisfies Record<string, Race>;
