// The use case of an upload: what is checked before the body, what is stored, how a key repeats an answer, and how it is settled.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KnownUpload } from '../../../src/files/stored-file.ts';
import type { Examiner, Question } from '../../../src/files/uploads/examiner.ts';
import type { UploadPart } from '../../../src/files/uploads/take-parts.ts';
import type { UploadFile } from '../../../src/files/uploads/upload-file.ts';
import { sha256 } from '../../../src/kernel/crypto/digest.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { noon, recordOf, unavailable } from '../../helpers/blobs/memory-files.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import {
  countSlots,
  examined,
  field,
  kept,
  part,
  quota,
  small,
  stageUpload,
  type UploadChanges,
} from '../../helpers/uploads/upload-stage.ts';

const by = { actor: 'service', key: 'k1', why: '' } as const;
const whole = 'admit look enter reserve take spool examine keep settle discard leave';

/** The bytes of a client that leaves after the first of them. */
async function* cutOff(): AsyncIterable<Buffer> {
  yield Buffer.from('ab');
  throw unavailable();
}

describe('an upload', () => {
  it('an upload is admitted, reserved, spooled, examined, kept and settled, in this order', async () => {
    const { run, calls, given } = stageUpload({ input: { digest: 'digest' } });
    const file = await run();
    assert.equal(calls(), whole);
    assert.match(file.id, /^fil_[\w-]{22}$/);
    assert.deepEqual(file, { id: file.id, userId: 'ann', purpose: 'small', ...examined, ...kept, createdAt: noon });
    const [reservation] = given('reserve') as [{ uploadId: string }];
    const { uploadId } = reservation;
    assert.deepEqual(reservation, {
      uploadId,
      userId: 'ann',
      bytes: 0,
      quota,
      keyId: undefined,
      leaseUntil: noon + 15_000,
      now: noon,
    });
    const question = {
      purpose: small,
      name: 'sent.txt',
      declaredType: 'text/x',
      digest: 'digest',
      needsFingerprint: false,
    };
    assert.deepEqual(given('examine'), [{ userId: 'ann', question }]);
    assert.deepEqual(given('keep'), [{ id: file.id, hash: kept.sha256, isAborted: false }]);
    assert.deepEqual(given('settle'), [{ uploadId, file, quota, key: undefined, now: noon }]);
    assert.deepEqual([given('admit'), given('enter'), given('take')], [['ann'], [['ann', undefined]], [3]]);
  });

  it('a small upload stays in memory, which belongs to nobody after it has ended', async () => {
    const free = countSlots();
    const stored = stageUpload({ isHeld: true });
    await stored.run();
    assert.equal(stored.calls(), 'admit look enter reserve take examine keep settle leave');
    assert.equal(countSlots(), free);
  });

  for (const [step, changes] of [
    ['while it arrives', { parts: [{ ...part(), bytes: cutOff() } as UploadPart] }],
    ['as unknown', { input: { purpose: undefined }, parts: [part(), field('purpose', 'other')] }],
    ['by the examiner', { examiner: { examine: () => Promise.reject(unavailable()) } }],
    ['by the storage', { blobs: { keep: () => Promise.reject(new Error('no disk')) } }],
    ['by the database', { files: { settle: async () => ({ kind: 'full' }) } }],
  ] as [string, UploadChanges][]) {
    it(`the memory of a small upload that is refused ${step} belongs to nobody afterwards`, async () => {
      const free = countSlots();
      const { run, given } = stageUpload({ isHeld: true, ...changes });
      await assert.rejects(run());
      assert.equal(given('release').length, 1);
      assert.equal(countSlots(), free);
    });
  }

  it('two uploads have different ids', async () => {
    const { run, given } = stageUpload();
    const [one, two] = [await run(), await run()];
    assert.notEqual(one.id, two.id);
    const [first, second] = given('reserve') as { uploadId: string }[];
    assert.notEqual(first?.uploadId, second?.uploadId);
  });
});

describe('what is checked before the body of an upload', () => {
  for (const [what, changes, code, detail, calls] of [
    ['an unknown purpose', { input: { purpose: 'other' } }, 'FILE_PURPOSE_UNKNOWN', { list: 'small, large' }, ''],
    [
      'a raw body one byte too long',
      { input: { bodyLength: 11 } },
      'FILE_TOO_LARGE',
      { limit: '10 bytes', maxBytes: 10 },
      '',
    ],
    [
      'a form one byte too long',
      { input: { bodyLength: 10 + 16 * 1024 + 1, isBare: false } },
      'FILE_TOO_LARGE',
      { limit: '10 bytes', maxBytes: 10 },
      '',
    ],
    [
      'a body too long for any purpose',
      { input: { purpose: undefined, bodyLength: 20_001 } },
      'FILE_TOO_LARGE',
      { limit: '19.5 KiB', maxBytes: 20_000 },
      '',
    ],
  ] as const) {
    it(`an upload is refused before its body: ${what}`, async () => {
      const stopped = stageUpload(changes);
      await assert.rejects(stopped.run(), { code, detail });
      assert.equal(stopped.calls(), calls);
    });
  }

  for (const [what, input, bytes, bound] of [
    ['a raw body of the largest size', { bodyLength: 10 }, 10, 10],
    ['a form of the largest size', { bodyLength: 10 + 16 * 1024, isBare: false }, 16 * 1024 - 1014, 10 + 16 * 1024],
    ['a small form, whose framing is most of it', { bodyLength: 1024, isBare: false }, 0, 10 + 16 * 1024],
    ['a form one byte longer than its usual framing', { bodyLength: 1025, isBare: false }, 1, 10 + 16 * 1024],
    ['a raw body without a length', {}, 0, 10],
    ['a form without a length', { isBare: false }, 0, 10 + 16 * 1024],
  ] as const) {
    it(`an upload reserves ${bytes} bytes and may send ${bound} for ${what}`, async () => {
      const { run, given, boundOf } = stageUpload({ input });
      await run();
      assert.equal((given('reserve')[0] as { bytes: number }).bytes, bytes);
      assert.deepEqual(given('enter'), [['ann', 'bodyLength' in input ? input.bodyLength : undefined]]);
      const { bytes: most, refusal } = boundOf() ?? assert.fail();
      assert.equal(most, bound);
      assert.deepEqual([refusal.code, refusal.detail], ['FILE_TOO_LARGE', { limit: '10 bytes', maxBytes: 10 }]);
    });
  }

  it('an upload without an early purpose may be as large as the largest purpose', async () => {
    const { run, boundOf } = stageUpload({ input: { purpose: undefined }, parts: [part(), field('purpose', 'large')] });
    await run();
    assert.equal(boundOf()?.bytes, 20_000);
  });

  for (const [outcome, code, detail] of [
    [{ kind: 'full' }, 'FILE_QUOTA_EXCEEDED', {}],
    [{ kind: 'gone' }, 'SESSION_REVOKED', {}],
    [{ kind: 'in progress', until: noon + 2001 }, 'UPLOAD_IN_PROGRESS', { retryAfterSeconds: 3 }],
  ] as const) {
    it(`a reservation that is “${outcome.kind}” is refused, and takes no spool`, async () => {
      const { run, calls } = stageUpload({ files: { reserve: async () => outcome } });
      await assert.rejects(run(), { code, detail });
      assert.equal(calls(), 'admit look enter leave');
    });
  }

  it('an upload by the back end for a user who does not exist is not found, and takes no spool', async () => {
    const { run, calls } = stageUpload({ input: { by }, files: { reserve: async () => ({ kind: 'gone' }) } });
    await assert.rejects(run(), { code: 'NOT_FOUND' });
    assert.equal(calls(), 'admit look enter leave');
  });

  it('too many waiting files refuse an upload before anything is reserved', async () => {
    const admit = () => {
      throw new Failure('RATE_LIMITED', { retryAfterSeconds: 5 });
    };
    const { run, calls } = stageUpload({ examiner: { admit } });
    await assert.rejects(run(), { code: 'RATE_LIMITED' });
    assert.equal(calls(), '');
  });

  it('a disk without space refuses an upload before quota is reserved', async () => {
    const enter = () => {
      throw unavailable();
    };
    const { run, calls } = stageUpload({ enter });
    await assert.rejects(run(), { code: 'STORAGE_UNAVAILABLE' });
    assert.equal(calls(), 'admit look enter');
  });
});

describe('the purpose of an upload', () => {
  for (const [what, early, late, expected] of [
    ['given before the body', 'small', undefined, 'small'],
    ['given in the body', undefined, 'large', 'large'],
    ['given twice, the same', 'small', 'small', 'small'],
  ] as const) {
    it(`the purpose of an upload may be ${what}`, async () => {
      const parts = late === undefined ? [part()] : [part(), field('purpose', late)];
      assert.equal((await stageUpload({ input: { purpose: early }, parts }).run()).purpose, expected);
    });
  }

  for (const [what, early, late, code, detail] of [
    ['none', undefined, undefined, 'FILE_PURPOSE_REQUIRED', { list: 'small, large' }],
    ['an unknown one in the body', undefined, 'other', 'FILE_PURPOSE_UNKNOWN', { list: 'small, large' }],
    ['two different ones', 'small', 'large', 'REQUEST_INVALID', { field: 'purpose' }],
  ] as const) {
    it(`an upload is refused for its purpose: ${what}`, async () => {
      const parts = late === undefined ? [part()] : [part(), field('purpose', late)];
      const { run, calls } = stageUpload({ input: { purpose: early }, parts });
      await assert.rejects(run(), { code, detail });
      assert.equal(calls(), 'admit look enter reserve take spool discard release leave');
    });
  }

  it('the size is checked against a purpose that the body names', async () => {
    const parts = [part('eleven byte'), field('purpose', 'small')];
    const { run, calls } = stageUpload({ input: { purpose: undefined }, parts });
    await assert.rejects(run(), { code: 'FILE_TOO_LARGE', detail: { limit: '10 bytes', maxBytes: 10 } });
    assert.equal(calls(), 'admit look enter reserve take spool discard release leave');
    const fitting = [part('ten bytes!'), field('purpose', 'small')];
    await stageUpload({ input: { purpose: undefined }, parts: fitting }).run();
  });

  it('an empty file is refused', async () => {
    await assert.rejects(stageUpload({ parts: [part('')] }).run(), { code: 'FILE_EMPTY' });
  });
});

describe('the Idempotency-Key of an upload', () => {
  const keyId = sha256('ann my-key');
  const known: KnownUpload = { kind: 'known', fingerprint: 'print', file: recordOf('before', 'abc') };
  const input = { idempotencyKey: 'my-key' };

  it('a key of the back end belongs to its service key and to the user', async () => {
    const keyOf = async (changes: Partial<UploadFile>) => {
      const { run, given } = stageUpload({ input: { ...input, ...changes } });
      await run();
      return (given('reserve') as [{ keyId: string }])[0].keyId;
    };
    const keys = [
      await keyOf({ by }),
      await keyOf({ by: { ...by, key: 'k2' } }),
      await keyOf({ by, userId: asUserId('bob') }),
      await keyOf({}),
      // What a user would have to choose to meet the key of a back end.
      await keyOf({ userId: asUserId('service'), idempotencyKey: 'k1' }),
    ];
    assert.equal(keys[0], sha256('service k1 ann my-key'));
    assert.equal(new Set(keys).size, keys.length);
  });

  it('a new key is reserved for its user, and kept for a day with the fingerprint', async () => {
    const { run, given } = stageUpload({ input });
    await run();
    const [reservation] = given('reserve') as [{ keyId: string }];
    assert.equal(reservation.keyId, keyId);
    const [{ question }] = given('examine') as [{ question: Question }];
    assert.equal(question.needsFingerprint, true);
    const [settlement] = given('settle') as [{ key: object }];
    assert.deepEqual(settlement.key, { id: keyId, fingerprint: 'print', keptUntil: noon + 86_400_000 });
  });

  it('a key without a fingerprint is kept with an empty one', async () => {
    const examine: Examiner['examine'] = async () => ({ examined, kept, fingerprint: undefined });
    const { run, given } = stageUpload({ input, examiner: { examine } });
    await run();
    const [settlement] = given('settle') as [{ key: { fingerprint: string } }];
    assert.equal(settlement.key.fingerprint, '');
  });

  it('a known key with the same bytes answers with the first file, and stores nothing', async () => {
    const { run, calls } = stageUpload({ input, files: { reserve: async () => known } });
    assert.equal(await run(), known.file);
    assert.equal(calls(), 'admit look enter take spool fingerprint discard leave');
  });

  it('a known key with other bytes is refused', async () => {
    const files = { reserve: async () => ({ ...known, fingerprint: 'other' }) };
    const { run, calls } = stageUpload({ input, files });
    await assert.rejects(run(), { code: 'IDEMPOTENCY_KEY_REUSED' });
    assert.equal(calls(), 'admit look enter take spool fingerprint discard leave');
  });

  it('a key that another upload has fulfilled meanwhile answers with that file, and removes its own bytes', async () => {
    const { run, given } = stageUpload({ input, files: { settle: async () => known } });
    assert.equal(await run(), known.file);
    assert.deepEqual(given('remove'), [(given('keep')[0] as { id: string }).id]);
  });

  it('a key that another upload has fulfilled meanwhile with other bytes is refused', async () => {
    const { run, given } = stageUpload({ input, files: { settle: async () => ({ ...known, fingerprint: 'other' }) } });
    await assert.rejects(run(), { code: 'IDEMPOTENCY_KEY_REUSED' });
    assert.equal(given('remove').length, 1);
  });
});

describe('the settlement of an upload', () => {
  it('the act of the back end reaches the store, and an upload by the user has none', async () => {
    for (const changes of [{ by }, {}]) {
      const { run, given } = stageUpload({ input: changes });
      await run();
      assert.deepEqual((given('settle') as [{ by?: object }])[0].by, changes.by);
    }
  });

  it('an upload by the back end for a user who is gone at its end is not found, and its bytes are removed', async () => {
    const { run, calls } = stageUpload({ input: { by }, files: { settle: async () => ({ kind: 'gone' }) } });
    await assert.rejects(run(), { code: 'NOT_FOUND' });
    assert.equal(calls(), 'admit look enter reserve take spool examine keep remove end discard release leave');
  });

  for (const [outcome, code] of [
    ['full', 'FILE_QUOTA_EXCEEDED'],
    ['gone', 'SESSION_REVOKED'],
  ] as const) {
    it(`an upload that is “${outcome}” at its end is refused, and its bytes are removed`, async () => {
      const { run, calls, given } = stageUpload({ files: { settle: async () => ({ kind: outcome }) } });
      await assert.rejects(run(), { code });
      assert.equal(calls(), 'admit look enter reserve take spool examine keep remove end discard release leave');
      assert.deepEqual(given('remove'), [(given('keep')[0] as { id: string }).id]);
    });
  }

  it('an upload whose note was gone is refused for now, its bytes are removed, and no more ids of its commit are given', async () => {
    const { run, calls, given } = stageUpload({ files: { settle: async () => ({ kind: 'late' }) } });
    await assert.rejects(run(), { code: 'STORAGE_UNAVAILABLE' });
    assert.equal(calls(), 'admit look enter reserve take spool examine keep remove end renew discard release leave');
    assert.deepEqual(given('renew'), [(given('keep')[0] as { id: string }).id]);
  });

  const broken = () => Promise.reject(new Error('the connection broke'));

  it('a settlement without an answer counts if the record is there', async () => {
    const { run, given } = stageUpload({ files: { settle: broken } });
    const file = await run();
    assert.deepEqual(given('isStored'), [{ userId: 'ann', id: file.id }]);
    assert.deepEqual(given('remove'), []);
  });

  for (const [what, isStored] of [
    ['the record is not there yet', async () => false],
    ['nobody knows whether the record is there', () => Promise.reject(new Error('still broken'))],
  ] as const)
    it(`a settlement without an answer fails with its own error if ${what}, and its bytes wait for the end of their note`, async () => {
      const { run, given } = stageUpload({ files: { settle: broken, isStored } });
      await assert.rejects(run(), /the connection broke/);
      assert.deepEqual(given('remove'), []);
    });

  it('the error of an upload is its own, also if it cannot be cleaned up', async () => {
    const { run, calls } = stageUpload({
      files: { settle: async () => ({ kind: 'full' }), release: () => Promise.reject(new Error('no database')) },
      spool: { discard: () => Promise.reject(new Error('no disk')) },
    });
    await assert.rejects(run(), { code: 'FILE_QUOTA_EXCEEDED' });
    assert.match(calls(), /leave$/);
  });
});

describe('the lease of an upload', () => {
  it('the lease of an upload is renewed while it lasts, and no longer', async () => {
    const renewed = Promise.withResolvers<void>();
    const holds: unknown[] = [];
    const hold = async (input: unknown) => {
      holds.push(input);
      if (holds.length === 2) renewed.resolve();
      // A failed renewal is tried again.
      throw new Error('no database');
    };
    const examine: Examiner['examine'] = async () => {
      await renewed.promise;
      return { examined, kept, fingerprint: undefined };
    };
    const { run, given } = stageUpload({ files: { hold }, examiner: { examine }, times: { leaseMilliseconds: 3 } });
    await run();
    const [{ uploadId, leaseUntil }] = given('reserve') as [{ uploadId: string; leaseUntil: number }];
    assert.equal(leaseUntil, noon + 3);
    assert.deepEqual(
      holds.slice(0, 2),
      [1, 2].map(() => ({ uploadId, leaseUntil: noon + 3 })),
    );
    const count = holds.length;
    const later = Promise.withResolvers<void>();
    setTimeout(later.resolve, 5);
    await later.promise;
    assert.equal(holds.length, count);
  });

  it('a lease of many days is not renewed at once', async () => {
    const examine: Examiner['examine'] = async () => {
      await new Promise((resolve) => void setTimeout(resolve, 5));
      return { examined, kept, fingerprint: undefined };
    };
    const { run, given } = stageUpload({ examiner: { examine }, times: { leaseMilliseconds: 1e9 } });
    await run();
    assert.deepEqual(given('hold'), []);
  });
});
