// The races of two processes about uploads in several requests: writers, finishers, cancellations, keys and quotas.
import type { NewUpload } from '../../../src/files/resumable/resumable-upload.ts';
import type { Ports } from '../../../src/store/ports.ts';
import { asUploadId, asUserId } from '../../helpers/people/ids.ts';
import { reservation } from '../../helpers/store/file-fixtures.ts';
import { day, minute, newPhone, noon, signIn } from '../../helpers/store/fixtures.ts';
import { creation, uploadSettlement } from '../../helpers/store/upload-fixtures.ts';
import type { Race } from './race.ts';

const userOf = (round: number) => `user-${round}`;
const begin = (ports: Ports, round: number) => signIn(ports, newPhone(), noon, { newUserId: asUserId(userOf(round)) });
const creationOf = (round: number, changes: Partial<NewUpload> = {}) =>
  creation(asUserId(userOf(round)), { id: asUploadId(`upload-${round}`), ...changes });
const of = (round: number) => ({ uploadId: asUploadId(`upload-${round}`), userId: asUserId(userOf(round)), now: noon });

export const beginWithUpload = async (ports: Ports, round: number) => {
  await begin(ports, round);
  await ports.resumables.create(creationOf(round, { length: undefined }));
};

export const advance = (
  { resumables }: Ports,
  round: number,
  bytes: number,
  writer = 'writer',
  quota = creationOf(0).quota,
) => {
  const parts = [{ id: `part-${round}-${writer}`, firstByte: 0, bytes }];
  const rest = { length: undefined, quota, expiresAt: noon + day };
  return resumables.advance({ ...of(round), writer, parts, received: bytes, ...rest });
};

export const beginWhole = async (ports: Ports, round: number) => {
  await beginWithUpload(ports, round);
  await advance(ports, round, 100);
};

const cancel = async ({ resumables }: Ports, round: number) => resumables.cancel(of(round));

export const settle = async ({ files }: Ports, round: number) => {
  const settled = uploadSettlement(creationOf(round));
  const outcome = await files.settle(settled);
  if (outcome.kind === 'stored') return `stored ${settled.file.id}`;
  return outcome.kind === 'stored before' ? `before ${outcome.file.id}` : outcome.kind;
};

export const uploadRaces = {
  'two writers of one upload': {
    prepare: beginWithUpload,
    run: async (ports, round, side) => {
      const writer = `writer ${side}`;
      const taken = await ports.resumables.take({ ...of(round), writer, offset: 0 });
      return taken.kind === 'taken' ? advance(ports, round, 10 + side, writer) : taken.kind;
    },
  },
  'two finishers of one upload': {
    prepare: beginWhole,
    run: async ({ resumables }, round, side) => {
      const lease = { finisher: `finisher ${side}`, finishUntil: noon + minute, length: 100 };
      return (await resumables.beginFinish({ ...of(round), ...lease })).kind;
    },
  },
  'two settlements of one upload': { prepare: beginWhole, run: settle },
  'a settlement and a cancellation': {
    prepare: beginWhole,
    run: async (ports, round, side) =>
      (side === 0 ? (await settle(ports, round)).split(' ')[0] : cancel(ports, round)) ?? '',
  },
  'an advance and a cancellation': {
    prepare: beginWithUpload,
    run: (ports, round, side) => (side === 0 ? advance(ports, round, 100) : cancel(ports, round)),
  },
  'an advance and the deletion of its account': {
    prepare: beginWithUpload,
    run: async (ports, round, side) => {
      if (side === 0) return advance(ports, round, 100);
      await ports.users.deleteUser({ userId: asUserId(userOf(round)), now: noon });
      return 'deleted';
    },
  },
  'two creations with one key': {
    prepare: begin,
    run: async ({ resumables }, round, side) => {
      const outcome = await resumables.create(
        creationOf(round, { id: asUploadId(`upload-${round}-${side}`), keyId: `key ${round}` }),
      );
      return outcome.kind;
    },
  },
  'a growing upload and a plain one, for the last space': {
    prepare: beginWithUpload,
    run: async (ports, round, side) => {
      const quota = { bytes: 199, files: 9 };
      if (side === 0) return advance(ports, round, 100, 'writer', quota);
      return (await ports.files.reserve(reservation(asUserId(userOf(round)), noon, { quota }))).kind;
    },
  },
} as const satisfies Record<string, Race>;
