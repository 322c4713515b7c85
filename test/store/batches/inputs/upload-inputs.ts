// Inputs of the operations on uploads in several requests.
import fc from 'fast-check';
import { asFileId, asUploadId, asUserId } from '../../../helpers/people/ids.ts';
import { fileRows, newIds } from '../file-rows.ts';
import { type AllInputs, inputsOf } from '../inputs.ts';
import {
  callerIds,
  day,
  favour,
  few,
  fileIds,
  hour,
  keyIds,
  maybe,
  minute,
  moment,
  momentOf,
  noon,
  ownerOf,
  partIds,
  pick,
  second,
  uploadIds,
  userIds,
} from '../pool.ts';
import { quotas } from './user-inputs.ts';

/** An upload of its owner, rarely of somebody else. */
const upload = fc
  .record({ at: favour([0, 1, 2, 3, 4]), isOwn: fc.constantFrom(true, true, true, true, false) })
  .map(({ at, isOwn }) => ({
    uploadId: uploadIds[at] ?? asUploadId(''),
    userId: isOwn ? ownerOf(at) : (userIds[2] ?? asUserId('')),
  }));
const removed = pick([...fileIds, ...uploadIds]);
const caller = favour(callerIds);
const hundreds = few(4).map((count) => count * 100);
const lengths = maybe(hundreds);
const until = fc.constantFrom(noon + second, noon + hour, noon + 2 * day);

export const uploadInputs = {
  'resumables.create': inputsOf(
    fileRows,
    fc.record({
      user: favour([0, 1, 2]),
      key: maybe(favour(keyIds)),
      length: lengths,
      purpose: favour(['image', 'document']),
      digest: maybe(fc.constant('aGFzaA==')),
      writer: caller,
      quota: pick(quotas),
      at: moment,
    }),
    ({ user, key, length, purpose, digest, writer, quota, at }, index) => ({
      id: asUploadId(`new upload ${index}`),
      userId: userIds[user] ?? asUserId(''),
      purpose,
      name: undefined,
      declaredType: 'image/png',
      digest,
      keyId: key,
      length,
      writer,
      quota,
      expiresAt: momentOf(at, index) + day,
      now: momentOf(at, index),
    }),
  ),
  'resumables.take': inputsOf(
    fileRows,
    fc.record({ upload, writer: maybe(caller), offset: lengths, at: moment }),
    ({ upload: of, writer, offset, at }, index) => ({ ...of, writer, offset, now: momentOf(at, index) }),
  ),
  'resumables.advance': inputsOf(
    fileRows,
    fc.record({
      upload,
      writer: caller,
      parts: fc.uniqueArray(fc.record({ id: pick(partIds), firstByte: hundreds, bytes: hundreds }), {
        selector: ({ id }) => id,
        maxLength: 2,
      }),
      received: favour([400, 300, 200, 100]),
      length: fc.constantFrom(undefined, undefined, 400),
      quota: pick(quotas),
      expiresAt: until,
      at: moment,
    }),
    ({ upload: of, at, ...rest }, index) => ({ ...of, ...rest, now: momentOf(at, index) }),
  ),
  'resumables.beginFinish': inputsOf(
    fileRows,
    fc.record({ upload, finisher: caller, finishUntil: until, length: hundreds, at: moment }),
    ({ upload: of, at, ...rest }, index) => ({ ...of, ...rest, now: momentOf(at, index) }),
  ),
  'resumables.holdFinish': inputsOf(
    fileRows,
    fc.record({ uploadId: favour(uploadIds), finisher: caller, finishUntil: until }),
    (input, index) => ({ ...input, finishUntil: input.finishUntil + index }),
  ),
  'resumables.leaveFinish': inputsOf(
    fileRows,
    fc.record({ uploadId: favour(uploadIds), finisher: caller }),
    (input) => input,
  ),
  'resumables.cancel': inputsOf(
    fileRows,
    fc.record({ upload, holder: maybe(caller), at: moment }),
    ({ upload: of, holder, at }, index) => ({
      ...of,
      ...(holder !== undefined && { holder }),
      now: momentOf(at, index),
    }),
  ),
  'resumables.listEnded': inputsOf(
    fileRows,
    fc.record({ most: fc.integer({ min: 1, max: 3 }), at: moment }),
    ({ most, at }, index) => ({ most, now: momentOf(at, index) }),
  ),
  'resumables.forgetParts': inputsOf(
    fileRows,
    fc.record({ uploadId: favour(uploadIds), at: moment }),
    ({ uploadId, at }, index) => ({ uploadId, now: momentOf(at, index) }),
  ),
  'removals.note': inputsOf(
    fileRows,
    fc.record({ count: few(2), unused: fc.uniqueArray(pick(newIds)), until }),
    ({ count, ...rest }, index) => ({
      ids: Array.from({ length: count }, (_, at) => asFileId(`fil_noted${index} ${at}`)),
      ...rest,
    }),
  ),
  'removals.isDue': inputsOf(fileRows, moment, momentOf),
  'removals.take': inputsOf(
    fileRows,
    fc.record({ most: fc.integer({ min: 1, max: 3 }), at: moment }),
    ({ most, at }, index) => ({ most, now: momentOf(at, index) }),
  ),
  'removals.end': inputsOf(
    fileRows,
    fc.record({ ids: fc.uniqueArray(removed), held: fc.constantFrom(-hour, 0, minute), at: moment }),
    ({ ids, held, at }, index) => ({ ids, heldSince: noon + held - 15 * second, now: momentOf(at, index) }),
  ),
  'resumables.listOpen': inputsOf(
    fileRows,
    fc.record({
      user: favour(userIds),
      last: maybe(pick(uploadIds)),
      most: fc.integer({ min: 1, max: 3 }),
      at: moment,
    }),
    ({ user, last, most, at }, index) => ({
      userId: user,
      before: last === undefined ? undefined : { createdAt: noon, id: last },
      most,
      now: momentOf(at, index),
    }),
  ),
  'files.measureReserved': inputsOf(
    fileRows,
    fc.record({ userId: favour(userIds), at: moment }),
    ({ userId, at }, index) => ({
      userId,
      now: momentOf(at, index),
    }),
  ),
  'resumables.known': inputsOf(fileRows, fc.uniqueArray(pick(uploadIds)), (ids) => ids),
} satisfies Partial<AllInputs>;
