// Inputs of the operations on the trash, and of the sweep of files.
import fc from 'fast-check';
import { fileRows } from '../file-rows.ts';
import { type AllInputs, inputsOf } from '../inputs.ts';
import { favour, few, fileIds, flag, hour, minute, moment, momentOf, noon, pick, userIds } from '../pool.ts';

const most = fc.integer({ min: 1, max: 3 });
const fileOfUser = fc.record({ userId: favour(userIds), id: favour(fileIds), at: moment });

export const trashInputs = {
  'files.findRecord': inputsOf(fileRows, favour(fileIds), (id) => id),
  'trash.measureTrash': inputsOf(fileRows, favour(userIds), (id) => id),
  'trash.listTrash': inputsOf(
    fileRows,
    fc.record({
      userId: favour(userIds),
      isFirst: flag,
      since: pick([minute, hour]),
      before: few(3),
      most,
      at: moment,
    }),
    ({ userId, isFirst, since, before, most: count, at }, index) => ({
      userId,
      before: isFirst ? undefined : { deletedAt: noon - since, id: fileIds[before] ?? '' },
      most: count,
      now: momentOf(at, index),
    }),
  ),
  'trash.restoreFile': inputsOf(fileRows, fileOfUser, ({ at, ...file }, index) => ({
    ...file,
    now: momentOf(at, index),
  })),
  'trash.removeFromTrash': inputsOf(fileRows, fileOfUser, ({ at, ...file }, index) => ({
    ...file,
    now: momentOf(at, index),
  })),
  'trash.emptyTrash': inputsOf(
    fileRows,
    fc.record({ userId: favour(userIds), since: pick([0, 2 * minute, 2 * hour]), most }),
    ({ userId, since, most: count }) => ({ userId, now: noon - since, most: count }),
  ),
  'trash.sweepFiles': inputsOf(fileRows, fc.record({ at: moment, most }), ({ at, most: count }, index) => ({
    now: momentOf(at, index),
    most: count,
  })),
} satisfies Partial<AllInputs>;
