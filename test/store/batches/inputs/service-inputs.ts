// Inputs of the operations of the back end: service keys and users.

import fc from 'fast-check';
import { backendScopes } from '../../../../src/backend/service-key.ts';
import { asEmailKey } from '../../../helpers/people/ids.ts';
import { houseRows } from '../house-rows.ts';
import { type AllInputs, inputsOf } from '../inputs.ts';
import {
  by,
  day,
  emails,
  externalIds,
  favour,
  hour,
  maybe,
  moment,
  momentOf,
  phones,
  pick,
  serviceKeyIds,
  sessionIds,
  userIds,
} from '../pool.ts';
import { userRows } from '../rows.ts';

const keyAt = fc.record({ id: favour(serviceKeyIds), at: moment });

export const backendInputs = {
  'serviceKeys.create': inputsOf(
    houseRows,
    fc.record({ scopes: fc.uniqueArray(pick(backendScopes), { minLength: 1, maxLength: 3 }), at: moment }),
    ({ scopes, at }, index) => {
      const now = momentOf(at, index);
      const key = { id: `new-key-${index}`, name: 'new', secretHash: `new hash ${index}` };
      return { ...key, scopes, endsAt: now + day, by, now };
    },
  ),
  'serviceKeys.rotate': inputsOf(houseRows, keyAt, ({ id, at }, index) => {
    const now = momentOf(at, index);
    const key = { id: `new-key-${index}`, secretHash: `new hash ${index}`, replaces: id };
    return { ...key, endsAt: now + hour, by, now };
  }),
  'serviceKeys.revoke': inputsOf(houseRows, keyAt, ({ id, at }, index) => ({ id, by, now: momentOf(at, index) })),
  'serviceKeys.touch': inputsOf(houseRows, keyAt, ({ id, at }, index) => ({ id, now: momentOf(at, index) })),
  'serviceKeys.listLive': inputsOf(houseRows, moment, (at, index) => momentOf(at, index)),
  'serviceKeys.list': inputsOf(houseRows, fc.integer({ min: 1, max: 3 }), (most) => most),
  'backendUsers.find': inputsOf(
    userRows,
    fc.oneof(
      fc.record({ by: fc.constant('id' as const), text: favour(userIds) }),
      fc.record({ by: fc.constant('phone' as const), text: favour(phones) }),
      fc.record({
        by: fc.constant('email' as const),
        text: pick(emails.map((email) => asEmailKey(email.toLowerCase()))),
      }),
      fc.record({ by: fc.constant('external id' as const), text: favour(externalIds) }),
    ),
    (key) => key,
  ),
  'backendUsers.list': inputsOf(
    userRows,
    fc.record({ after: maybe(favour(userIds)), most: fc.integer({ min: 1, max: 3 }) }),
    (input) => input,
  ),
  'backendUsers.change': inputsOf(
    userRows,
    fc.record({
      userId: favour(userIds),
      externalId: fc.option(favour([...externalIds.slice(2), ...externalIds]), { nil: null, freq: 4 }),
      hasId: fc.constantFrom(true, true, true, false),
      claims: pick(['{"plan":"pro"}', '{"plan":"free"}', null]),
      at: moment,
    }),
    ({ userId, externalId, hasId, claims, at }, index) => ({
      userId,
      patch: { ...(hasId && { externalId }), claims },
      by,
      now: momentOf(at, index),
    }),
  ),
  'backendUsers.checkSession': inputsOf(
    userRows,
    fc.record({ userId: favour(userIds), sessionId: favour(sessionIds), at: moment }),
    ({ at, ...session }, index) => ({ ...session, now: momentOf(at, index) }),
  ),
} satisfies Partial<AllInputs>;
