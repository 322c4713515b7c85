// Whatever a caller, an app or an import may store fits the forms of a backup: no accepted value makes a backup that cannot be restored.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { chooseCharset } from '#media/charset';
import { mediaTypeNames } from '#media/media-type';
import { type Count, callerCounters, countCaller } from '../../../src/abuse/caller-limits.ts';
import { brakeRules, countBrake } from '../../../src/abuse/sms-brake.ts';
import { judgeSuspension } from '../../../src/abuse/suspension.ts';
import { addFailure, budgetIds, useDeviceReserve, useReserve } from '../../../src/auth/codes/attempt-budget.ts';
import { parseEmailAddress } from '../../../src/auth/identity/email-address.ts';
import { parsePhoneNumber } from '../../../src/auth/identity/phone-number.ts';
import { draftUser } from '../../../src/backend/import/draft-user.ts';
import { readOwnFields } from '../../../src/backend/import/own-fields.ts';
import { readUserData } from '../../../src/backend/user-data.ts';
import { parseRow } from '../../../src/backup/row-schema.ts';
import { cleanFileName } from '../../../src/files/file-name.ts';
import { parsePurposes } from '../../../src/files/purpose.ts';
import { setFileReadersRoute } from '../../../src/http/routes/files/sharing/set-readers.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { chooseLanguage } from '../../../src/kernel/text/language.ts';
import { keptSchema } from '../../../src/store/backup/backup-tables.ts';
import { importedUser } from '../../../src/store/operations/auth/identity/user-rows.ts';
import { fileId } from '../../helpers/blobs/memory-files.ts';
import { rounds, seed } from '../../helpers/faults/rounds.ts';
import { asPhone, userIdOf } from '../../helpers/people/ids.ts';

const now = Date.UTC(2031, 4, 5, 12);
const someText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());

/** What a value that a writer returned lacks for a backup. Null is none. */
function assertFits(table: string, column: string, value: unknown): void {
  const schema = keptSchema.find((one) => one.table === table) ?? assert.fail(table);
  const columns = { [column]: schema.columns[column] ?? assert.fail(column) };
  assert.deepEqual(parseRow({ table, columns, schema }, [value], 1), { value: [value] });
}

/** Undefined if the writer refuses the value. */
function accepted<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** Returns how many values were accepted: a property over values that are all refused would prove nothing. */
async function check<T>(values: fc.Arbitrary<T>, isAccepted: (value: T) => boolean | Promise<boolean>) {
  let count = 0;
  const property = fc.asyncProperty(values, async (value) => {
    if (await isAccepted(value)) count += 1;
  });
  await fc.assert(property, { seed, numRuns: rounds(300) });
  assert.ok(count > 30, `${count} were accepted`);
}

describe('whatever a writer accepts fits the form of its column', () => {
  it('an id that the route of readers accepts, in any case and of anybody or nobody', async () => {
    const { body } = setFileReadersRoute({} as Parameters<typeof setFileReadersRoute>[0]);
    const { pattern } = (body as unknown as { properties: { users: { items: { pattern: string } } } }).properties.users
      .items;
    const stored: string[] = [];
    const deps = {
      sharing: {
        setReaders: async ({ readers }: { readers: readonly string[] }) => {
          stored.push(...readers);
          return 'set' as const;
        },
      },
    };
    const route = setFileReadersRoute({ ...deps, purposes: [], clock: { now: () => now } } as never);
    const ids = fc.oneof(fc.stringMatching(new RegExp(pattern)), fc.uuid(), fc.constant(userIdOf('ann')));
    await check(ids, async (id) => {
      const call = { params: { id: fileId(1) }, body: { users: [id] }, caller: { userId: userIdOf('owner') } };
      await route.handle(call as never);
      assertFits('file_readers', 'user_id', stored.pop());
      return true;
    });
    // The nil UUID and the largest one are UUIDs too.
    for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
      assertFits('file_readers', 'user_id', id);
  });

  it('the name of a file', async () => {
    await check(fc.tuple(someText, fc.constantFrom(...mediaTypeNames)), ([name, type]) => {
      assertFits('files', 'name', cleanFileName(name, type));
      assertFits('files', 'name', cleanFileName(name.repeat(200), type));
      assertFits('files', 'type', type);
      return true;
    });
  });

  it('the charset of a text, whatever is declared', async () => {
    const bytes = Buffer.from('plain');
    const file = { size: bytes.length, read: (at: number, size: number) => bytes.subarray(at, at + size) };
    const labels = [
      'iso-8859-8-i',
      'x-mac-cyrillic',
      'x-user-defined',
      'ISO-8859-1',
      'big5-hkscs',
      'csKOI8R',
      'cp1252',
    ];
    await check(fc.oneof(someText, fc.constantFrom(...labels)), (label) => {
      assertFits('files', 'charset', chooseCharset(file as never, 'windows-1252', label));
      return true;
    });
  });

  it('the name of a purpose', async () => {
    await check(fc.oneof(someText, fc.stringMatching(/^[a-z][a-z0-9_-]{0,31}$/)), (name) => {
      const purpose = { name, types: ['image/png'], maxBytes: 1, readableBy: 'owner', served: 'inline' };
      const isTaken = 'purposes' in parsePurposes(JSON.stringify([purpose]));
      if (isTaken) assertFits('files', 'purpose', name);
      return isTaken;
    });
  });

  it('an external id, claims and metadata', async () => {
    const object = fc.dictionary(someText, fc.jsonValue({ maxDepth: 4 }));
    await check(fc.record({ externalId: someText, object }), ({ externalId, object: value }) => {
      const id = accepted(() => readUserData({ externalId }).externalId);
      if (id !== undefined) assertFits('users', 'external_id', id);
      const claims = accepted(() => readUserData({ claims: value }).claims);
      if (claims !== undefined) for (const column of ['claims', 'metadata_public']) assertFits('users', column, claims);
      return id !== undefined && claims != null;
    });
  });

  it('an e-mail address', async () => {
    const local = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9]{1,63}\.[A-Za-z0-9-]{1,20}$/;
    await check(fc.oneof(fc.emailAddress(), fc.stringMatching(local), someText), (text) => {
      const email = accepted(() => parseEmailAddress(` ${text}\n`));
      if (email === undefined) return false;
      assertFits('users', 'email', email.address);
      assertFits('users', 'email_key', email.key);
      return true;
    });
  });

  it('a phone number, also one of a test recipient, and the language of a user', async () => {
    const numbers = fc.oneof(fc.stringMatching(/^\+[0-9]{4,18}$/), fc.stringMatching(/^\+49 \(151\) [0-9]{8}$/));
    await check(fc.tuple(numbers, fc.boolean(), someText), ([text, isTest, language]) => {
      assertFits('users', 'next_phone_language', chooseLanguage(language));
      const read = accepted(() => parsePhoneNumber(text, undefined, () => isTest));
      if (read !== undefined) for (const column of ['phone', 'next_phone']) assertFits('users', column, read.phone);
      return read !== undefined;
    });
  });

  it('an imported user', async () => {
    const time = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    );
    const records = fc.record({
      id: fc.oneof(
        someText,
        fc.uuid(),
        fc.uuid({ version: 7 }).map((id) => id.toUpperCase()),
      ),
      externalId: fc.option(someText, { nil: undefined }),
      email: fc.emailAddress(),
      emailVerified: fc.constant(true),
      createdAt: time,
      lastSeenAt: time,
      blockedAt: time,
    });
    await check(fc.tuple(records, fc.dictionary(someText, fc.jsonValue())), ([record, data]) => {
      const more = { claims: data, publicMetadata: data, privateMetadata: data };
      const drafted = draftUser(readOwnFields({ ...record, ...more }), { readPhone: asPhone, now });
      if (drafted.kind !== 'draft') return false;
      for (const [column, value] of Object.entries(importedUser(drafted.draft))) assertFits('users', column, value);
      return true;
    });
  });

  it('the counters of limits, and details of events', async () => {
    const rule = fc.record({ count: fc.nat(50), windowSeconds: fc.integer({ min: 1, max: 3650 * 86_400 }) });
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    const country = fc.constantFrom('DE', 'ZZ', '+882');
    const asker = fc.base64String({ maxLength: 64 });
    const inputs = fc.record({ rules: fc.array(rule, { minLength: 1 }), address, country, asker, detail: someText });
    await check(inputs, ({ rules, address: ip, country: at, asker: who, detail }) => {
      const policy = {
        countries: [],
        perDay: 5,
        perCountryPerDay: 5,
        perPrefix: rules,
        unused: { share: 0.5, least: 3 },
      };
      const brake = { phone: asPhone('+4915112345678'), country: at, policy, now };
      const { failuresId, reserveId, deviceReserveId } = budgetIds(detail);
      const counts: Count[] = [
        ...countCaller(callerCounters('sends-ip', ip, rules), () => undefined, now),
        ...countBrake(brake, () => undefined, true),
        { id: failuresId, ...addFailure([], { failuresPerRecipient: rules }, now) },
        { id: reserveId, ...useReserve([], who, now) },
        { id: deviceReserveId, ...useDeviceReserve([], now) },
        ...brakeRules.flatMap((name) => {
          const judged = judgeSuspension(undefined, { rule: name, country: at, until: now + 0.5, now });
          return judged === undefined ? [] : [judged.count];
        }),
      ];
      for (const { id, value, endsAt } of counts) {
        assertFits('limits', 'id', id);
        assertFits('limits', 'hits', JSON.stringify(value));
        assertFits('limits', 'sweep_at', Math.ceil(endsAt));
      }
      assertFits('audit_events', 'detail', JSON.stringify({ why: detail, count: 1, isNew: true }));
      return true;
    });
  });
});
