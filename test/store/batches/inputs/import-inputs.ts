// Inputs of the import and the export of users.
import fc from 'fast-check';
import { asEmailKey, asUserId } from '../../../helpers/people/ids.ts';
import { makeDraft } from '../../../helpers/people/user.ts';
import { type AllInputs, inputsOf } from '../inputs.ts';
import {
  by,
  day,
  emails,
  favour,
  idAt,
  maybe,
  moment,
  momentOf,
  noon,
  phones,
  pick,
  userIds,
  type ValueOf,
} from '../pool.ts';
import { userRows } from '../rows.ts';
import type { Rows } from '../tables.ts';

const externalIds = ['abroad 0', 'abroad 1', 'abroad 2'];

/** Some users have an id of the app already. */
const rows: fc.Arbitrary<Rows> = fc
  .tuple(userRows, fc.tuple(...externalIds.map(() => maybe(fc.constant(true)))))
  .map(([all, known]) => ({
    ...all,
    users: (all.users ?? []).map((user, at) => ({
      ...user,
      external_id: known[at] === undefined ? null : (externalIds[at] ?? null),
    })),
  }));

const draft = fc.record({
  ownId: fc.option(favour(userIds), { nil: undefined, freq: 2 }),
  externalId: maybe(pick(externalIds)),
  phone: maybe(favour(phones)),
  email: maybe(favour(emails)),
  claims: pick([null, '{"plan":"gold"}']),
  metadata: pick([null, '{"name":"Ann"}']),
  isBlocked: fc.boolean(),
});

const drafts = fc.record({ list: fc.array(draft, { minLength: 1, maxLength: 3 }), at: moment });

function batch({ list, at }: { list: readonly ValueOf<typeof draft>[]; at: number }, index: number) {
  return {
    drafts: list.map(({ ownId, externalId, phone, email, claims, metadata, isBlocked }, place) =>
      makeDraft({
        id: ownId ?? asUserId(idAt(index * 10 + place, `new ${index}${place}`)),
        externalId: externalId ?? null,
        phone: phone ?? null,
        email: email ?? null,
        emailKey: email === undefined ? null : asEmailKey(email.toLowerCase()),
        claims,
        'metadata.public': metadata,
        createdAt: noon - 20 * day,
        seenAt: noon - 10 * day,
        blockedAt: isBlocked ? noon - 5 * day : null,
      }),
    ),
    by,
    now: momentOf(at, index),
  };
}

export const importInputs = {
  'imports.importUsers': inputsOf(rows, drafts, batch),
  'imports.previewImport': inputsOf(rows, drafts, batch),
  'exports.listExported': inputsOf(
    rows,
    fc.record({ after: pick(['', ...userIds]), most: fc.integer({ min: 1, max: 3 }) }),
    (page) => page,
  ),
} satisfies Partial<AllInputs>;
