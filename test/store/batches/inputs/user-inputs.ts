// Inputs of the operations on sessions, users and their files.
import fc from 'fast-check';
import { sessionEnds } from '../../../../src/auth/sessions/session.ts';
import { asEmailKey, asFileId, asSessionId, asUploadId, asUserId } from '../../../helpers/people/ids.ts';
import { makeFile } from '../../../helpers/uploads/stored-file.ts';
import { appIds } from '../app-rows.ts';
import { allUserRows, fileRows } from '../file-rows.ts';
import { type AllInputs, inputsOf } from '../inputs.ts';
import {
  by,
  emails,
  favour,
  few,
  fileIds,
  flag,
  hour,
  keyIds,
  maybe,
  minute,
  moment,
  momentOf,
  noon,
  ownerOf,
  phones,
  pick,
  second,
  sessionIds,
  times,
  uploadIds,
  userIds,
} from '../pool.ts';
import { clients, userRows } from '../rows.ts';

const most = fc.integer({ min: 1, max: 3 });
const userAt = fc.record({ userId: favour(userIds), at: moment });
const actor = maybe(fc.constant(by));
const service = maybe(fc.constant({ actor: 'service', key: 'a key', why: '' } as const));
export const quotas = [
  { bytes: 500, files: 3 },
  { bytes: 900, files: 2 },
];

export const userInputs = {
  'sessions.rotate': inputsOf(
    userRows,
    fc.record({
      session: favour([0, 1, 2, 3, 4, 5]),
      appId: fc.constantFrom(undefined, undefined, ...appIds),
      isSeedRight: fc.constantFrom(true, true, true, true, false),
      counter: favour([1, 0, 2, 3]),
      client: fc.constantFrom(undefined, ...clients),
      at: moment,
    }),
    ({ session, appId, isSeedRight, counter, client, at }, index) => ({
      sessionId: sessionIds[session] ?? asSessionId(''),
      seedHash: isSeedRight ? `seed ${session}` : 'another seed',
      counter,
      ...(client !== undefined && { client }),
      ...(appId !== undefined && { appId }),
      policy: { idleSeconds: 3600, lifeSeconds: 9 * 86_400, graceSeconds: 30, perUser: 2 },
      now: momentOf(at, index),
    }),
  ),
  'sessions.listSessions': inputsOf(userRows, userAt, ({ userId, at }, index) => ({
    userId,
    now: momentOf(at, index),
  })),
  'sessions.endSessions': inputsOf(
    userRows,
    fc.record({
      userId: favour(userIds),
      sessionId: favour(sessionIds),
      scope: fc.constantFrom('this' as const, 'this' as const, 'others' as const, 'all' as const),
      reason: pick(sessionEnds),
      actor,
      at: moment,
    }),
    ({ actor: who, at, ...ending }, index) => ({
      ...ending,
      ...(who !== undefined && { by: who }),
      now: momentOf(at, index),
    }),
  ),
  'sessions.endedSince': inputsOf(userRows, times, (since) => since - 2 * minute),
  'users.findUser': inputsOf(userRows, favour(userIds), (id) => id),
  'users.deleteUser': inputsOf(
    allUserRows,
    fc.record({ userId: favour(userIds), actor, at: moment }),
    (chosen, index) => ({
      userId: chosen.userId,
      ...(chosen.actor !== undefined && { by }),
      now: momentOf(chosen.at, index),
    }),
  ),
  'directory.searchUsers': inputsOf(
    userRows,
    fc.oneof(
      fc.record({ by: fc.constant('id' as const), text: favour(userIds), most }),
      fc.record({ by: fc.constant('phone' as const), text: favour(phones), most }),
      fc.record({
        by: fc.constant('email' as const),
        text: pick(emails.map((email) => asEmailKey(email.toLowerCase()))),
        most,
      }),
      fc.record({ by: fc.constant('nothing' as const), text: fc.constant(''), most, before: favour(userIds) }),
      fc.record({ by: fc.constant('phone end' as const), text: pick(['000', '10000', '20000']), most }),
    ),
    (query) => query,
  ),
  'directory.findLastUse': inputsOf(userRows, favour(userIds), (id) => id),
  'directory.actOn': inputsOf(
    userRows,
    fc.record({ userId: favour(userIds), act: pick(['block', 'unblock', 'sign out'] as const), at: moment }),
    ({ userId, act, at }, index) => ({ userId, act, by, now: momentOf(at, index) }),
  ),
  'files.reserve': inputsOf(
    fileRows,
    fc.record({ user: favour([0, 1, 2]), bytes: few(3), key: maybe(favour(keyIds)), quota: pick(quotas), at: moment }),
    ({ user, bytes, key, quota, at }, index) => ({
      uploadId: asUploadId(`new upload ${index}`),
      userId: userIds[user] ?? asUserId(''),
      bytes: bytes * 100,
      quota,
      keyId: key,
      leaseUntil: momentOf(at, index) + minute,
      now: momentOf(at, index),
    }),
  ),
  'files.settle': inputsOf(
    fileRows,
    fc.record({
      upload: few(4),
      size: few(4),
      key: maybe(favour(keyIds)),
      quota: pick(quotas),
      isResumable: flag,
      service,
      at: moment,
    }),
    ({ upload, size, key, quota, isResumable, service: who, at }, index) => {
      const now = momentOf(at, index);
      const file = { id: asFileId(`fil_new${index}`), userId: ownerOf(upload), purpose: 'image', name: 'new' };
      const kind = { type: 'image/png', size: size * 100, sha256: 'cd', height: 7, charset: 'koi8-r' };
      return {
        uploadId: uploadIds[upload] ?? asUploadId(''),
        file: makeFile({ ...file, ...kind, createdAt: now }),
        quota,
        key: key === undefined ? undefined : { id: key, fingerprint: `print of ${index}`, keptUntil: now + hour },
        now,
        isResumable,
        ...(who !== undefined && { by: who }),
      };
    },
  ),
  'files.isStored': inputsOf(fileRows, fc.record({ userId: favour(userIds), id: favour(fileIds) }), (input) => input),
  'files.refuseInfected': inputsOf(
    fileRows,
    fc.record({ uploadId: favour(uploadIds), userId: favour(userIds), size: few(4), service, at: moment }),
    ({ uploadId, userId, size, service: who, at }, index) => ({
      uploadId,
      userId,
      purpose: 'image',
      size,
      sha256: 'cd',
      signature: `Name.${index}`,
      ...(who !== undefined && { by: who }),
      now: momentOf(at, index),
    }),
  ),
  'files.release': inputsOf(fileRows, favour(uploadIds), (id) => id),
  'files.hold': inputsOf(fileRows, fc.record({ uploadId: favour(uploadIds), leaseUntil: times }), (input) => input),
  'files.findFile': inputsOf(fileRows, fc.record({ id: favour(fileIds), at: moment }), ({ id, at }, index) => ({
    id,
    now: momentOf(at, index),
  })),
  'files.listFiles': inputsOf(
    fileRows,
    fc.record({ userId: favour(userIds), isFirst: flag, before: few(3), most, at: moment }),
    ({ userId, isFirst, before, most: count, at }, index) => ({
      now: momentOf(at, index),
      userId,
      before: isFirst ? undefined : { createdAt: noon - hour + before, id: fileIds[before] ?? '' },
      most: count,
    }),
  ),
  'files.deleteFile': inputsOf(
    fileRows,
    fc.record({ userId: favour(userIds), id: favour(fileIds), actor, life: maybe(pick([second, hour])), at: moment }),
    ({ userId, id, actor: who, life, at }, index) => ({
      userId,
      id,
      ...(who !== undefined && { by: who }),
      ...(life !== undefined && { trashUntil: momentOf(at, index) + life }),
      now: momentOf(at, index),
    }),
  ),
  'files.usage': inputsOf(fileRows, favour(userIds), (id) => id),
  'files.hasRoom': inputsOf(
    fileRows,
    fc.record({ userId: favour(userIds), bytes: pick([1, 100, 10_000]), files: pick([1, 3]) }),
    ({ userId, bytes, files }) => ({ userId, room: { bytes, files }, quota: { bytes: 10_000, files: 5 } }),
  ),
  'files.listAll': inputsOf(fileRows, fc.record({ after: pick(['', ...fileIds]), most }), (input) => input),
} satisfies Partial<AllInputs>;
