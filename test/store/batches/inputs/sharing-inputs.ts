// Inputs of the operations on links to files and on their named readers.
import fc from 'fast-check';
import { fileRows } from '../file-rows.ts';
import { type AllInputs, inputsOf } from '../inputs.ts';
import { favour, few, fileIds, hour, maybe, moment, momentOf, userIds, type ValueOf } from '../pool.ts';
import { endOf, linkIds } from '../sharing-rows.ts';

const ofFile = { fileId: favour(fileIds), userId: favour(userIds), at: moment };
const purposes = fc.constantFrom(['image'], ['image'], ['image'], ['document']);
const opening = fc.record({
  fileId: favour(fileIds),
  link: favour([0, 1, 2, 3]),
  epoch: favour([0, 0, 0, 1]),
  isEndRight: fc.constantFrom(true, true, true, false),
  at: moment,
});

function toOpening({ fileId, link, epoch, isEndRight, at }: ValueOf<typeof opening>, index: number) {
  const expiresAt = endOf(isEndRight ? link : link + 1);
  return { fileId, linkId: linkIds[link] ?? '', epoch, expiresAt, now: momentOf(at, index) };
}

export const sharingInputs = {
  'sharing.createLink': inputsOf(
    fileRows,
    // A short life, so that a link of the batch may be over when a later one is made.
    fc.record({ ...ofFile, uses: maybe(few(2)), purposes, life: fc.constantFrom(1, 1, hour) }),
    ({ at, life, ...ask }, index) => ({
      ...ask,
      id: `new link ${index}`,
      expiresAt: momentOf(at, index) + life,
      now: momentOf(at, index),
    }),
  ),
  'sharing.listLinks': inputsOf(fileRows, fc.record(ofFile), ({ at, ...own }, index) => ({
    ...own,
    now: momentOf(at, index),
  })),
  'sharing.revokeLinks': inputsOf(
    fileRows,
    fc.record({ ...ofFile, linkId: maybe(favour(linkIds)) }),
    ({ at, linkId, ...own }, index) => ({
      ...own,
      ...(linkId !== undefined && { linkId }),
      now: momentOf(at, index),
    }),
  ),
  'sharing.openLink': inputsOf(fileRows, opening, toOpening),
  'sharing.countUse': inputsOf(fileRows, opening, toOpening),
  'sharing.setReaders': inputsOf(
    fileRows,
    fc.record({ ...ofFile, readers: fc.uniqueArray(favour(userIds), { maxLength: 3 }), purposes }),
    ({ at, ...change }, index) => ({ ...change, now: momentOf(at, index) }),
  ),
  'sharing.listReaders': inputsOf(fileRows, fc.record(ofFile), ({ at, ...own }, index) => ({
    ...own,
    now: momentOf(at, index),
  })),
  'sharing.findFor': inputsOf(fileRows, fc.record(ofFile), ({ fileId, userId, at }, index) => ({
    id: fileId,
    userId,
    now: momentOf(at, index),
  })),
} satisfies Partial<AllInputs>;
