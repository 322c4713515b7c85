// Generated rows of links to files and of their named readers.

import fc from 'fast-check';
import type { Row } from '../../../src/store/engine/schema.ts';
import { asFileId, asUserId } from '../../helpers/people/ids.ts';
import { favour, few, fileIds, hour, maybe, minute, noon, userIds, type ValueOf } from './pool.ts';
import { rowsFor } from './tables.ts';

/** The last link is not there at first. */
export const linkIds = ['link 0', 'link 1', 'link 2', 'link 3'];

/** One link ends before the inputs, and one among them. */
const linkEnds = [noon + 9 * hour, noon + 6 * minute, noon - minute];

export function endOf(link: number): number {
  return linkEnds[link] ?? noon;
}

const link = fc.record({
  file: favour([0, 0, 0, 1]),
  epoch: favour([0, 0, 0, 1]),
  uses: maybe(fc.constantFrom(1, 2, 3)),
  used: few(1),
});

export const fileLinks = rowsFor<'file_links', ValueOf<typeof link>>(linkIds.slice(0, 3), link, (id, chosen, at) => ({
  id,
  file_id: fileIds[chosen.file] ?? asFileId(''),
  user_id: userIds[0] ?? asUserId(''),
  epoch: chosen.epoch,
  created_at: noon - hour + at,
  expires_at: endOf(at),
  uses: chosen.uses ?? null,
  used: chosen.uses === undefined ? 0 : chosen.used,
  sweep_at: endOf(at),
}));

export const fileReaders: fc.Arbitrary<readonly Row<'file_readers'>[]> = fc
  .tuple(...fileIds.flatMap((fileId) => userIds.map((userId) => maybe(fc.constant({ fileId, userId })))))
  .map((all) =>
    all.flatMap((one) =>
      one === undefined ? [] : [{ file_id: one.fileId, user_id: one.userId, created_at: noon - hour }],
    ),
  );
