// The events of recipients and their owner in pages: none twice, none lost, and wrong codes that only a counter holds.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LimitStore } from '../../src/abuse/limit-store.ts';
import { budgetIds } from '../../src/auth/codes/attempt-budget.ts';
import type { AuditQuery, AuditStore, StoredEvent } from '../../src/kernel/audit.ts';
import { firstIdAt } from '../../src/kernel/crypto/random.ts';
import { marksOf } from '../../src/kernel/crypto/recipient-mark.ts';
import { createSecrets } from '../../src/kernel/crypto/secrets.ts';
import { traceRecipients } from '../../src/support/trace-recipients.ts';
import { seed } from '../helpers/faults/rounds.ts';
import { asUserId } from '../helpers/people/ids.ts';

const secrets = createSecrets('the current secret, long enough', 'the previous secret, long enough');
const phone = '+12025550123';
const [mark = '', oldMark = ''] = marksOf(secrets, phone);

type Kept = StoredEvent & { readonly recipient?: string };

const event = (at: number, kind: string, more: Partial<Kept> = {}): Kept => ({
  id: firstIdAt(at),
  kind,
  detail: {},
  at,
  ...more,
});

/** Lists like the store: newest first by id, below the cursor, not before the time, up to the limit. */
function open(events: readonly Kept[], counters: Readonly<Record<string, unknown>> = {}) {
  const asked: AuditQuery[] = [];
  const audit: AuditStore = {
    record: async () => undefined,
    list: async (query) => {
      asked.push(query);
      const { userId, recipient, before, since, most } = query;
      return events
        .filter(
          (one) =>
            (userId === undefined || one.userId === userId) && (recipient === undefined || one.recipient === recipient),
        )
        .filter((one) => one.at >= since && (before === undefined || one.id < before))
        .toSorted((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, most);
    },
  };
  const limits = { read: async (id: string) => counters[id] } as LimitStore;
  return { deps: { audit, limits, secrets }, asked };
}

const whom = { userId: asUserId('ann'), recipients: [phone] };

describe('the events of a recipient', () => {
  it('events of the owner and of the recipient are merged, newest first, each once, without the mark', async () => {
    const { deps } = open([
      event(1, 'otp.requested', { recipient: mark, detail: { recipient: mark, ip: '203.0.113.7' } }),
      event(2, 'login.succeeded', { userId: asUserId('ann'), recipient: mark }),
      event(3, 'otp.requested', { recipient: oldMark }),
      event(4, 'otp.requested', { recipient: 'another' }),
      event(5, 'login.succeeded', { userId: asUserId('bob') }),
    ]);
    const { entries, next } = await traceRecipients(deps, whom, { since: 0, most: 10 });
    assert.deepEqual(entries, [
      { at: 3, kind: 'otp.requested', detail: {} },
      { at: 2, kind: 'login.succeeded', detail: {} },
      { at: 1, kind: 'otp.requested', detail: { ip: '203.0.113.7' } },
    ]);
    assert.equal(next, null);
  });

  it('without an owner, only the marks are searched', async () => {
    const { deps, asked } = open([]);
    await traceRecipients(deps, { recipients: [phone] }, { since: 5, most: 10 });
    assert.deepEqual(asked, [
      { recipient: mark, since: 5, most: 11 },
      { recipient: oldMark, since: 5, most: 11 },
    ]);
  });

  it('wrong codes that only a counter holds are shown in their place, and those that were audited once', async () => {
    const { deps } = open(
      [
        event(10, 'otp.failed', { recipient: mark }),
        event(20, 'otp.exhausted', { recipient: mark }),
        event(30, 'otp.requested', { recipient: mark }),
      ],
      { [budgetIds(phone).failuresId]: [10, 20, 25, 30], [budgetIds(phone).reserveId]: [[15, 'client']] },
    );
    const { entries } = await traceRecipients(deps, whom, { since: 12, most: 10 });
    assert.deepEqual(
      entries.map(({ at, kind }) => `${at} ${kind}`),
      ['30 otp.requested', '30 otp.wrong', '25 otp.wrong', '20 otp.exhausted', '15 otp.wrong'],
    );
  });

  for (const cursor of [
    '',
    'x',
    '5',
    `5_${firstIdAt(5)}x`,
    `_${firstIdAt(5)}`,
    `5.5_${firstIdAt(5)}`,
    `5_${'z'.repeat(36)}`,
  ]) {
    it(`the cursor ${JSON.stringify(cursor)} is refused`, () =>
      assert.rejects(traceRecipients(open([]).deps, whom, { since: 0, most: 10, cursor }), {
        code: 'REQUEST_INVALID',
        detail: { field: 'cursor' },
      }));
  }

  it('all pages together are the whole, in order, whatever their size and wherever the wrong codes lie', async () => {
    const property = fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 12 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 8 }),
      fc.integer({ min: 1, max: 5 }),
      async (times, failures, most) => {
        const { deps } = open(
          times.map((at) => event(at, 'login.succeeded', { userId: asUserId('ann') })),
          { [budgetIds(phone).failuresId]: failures },
        );
        const whole = await traceRecipients(deps, whom, { since: 0, most: 1000 });
        const paged: unknown[] = [];
        let cursor: string | null | undefined;
        do {
          const range = cursor === undefined || cursor === null ? { since: 0, most } : { since: 0, most, cursor };
          const page = await traceRecipients(deps, whom, range);
          paged.push(...page.entries);
          cursor = page.next;
        } while (cursor !== null);
        const text = (entry: unknown) => JSON.stringify(entry);
        assert.deepEqual(paged.map(text).sort(), whole.entries.map(text).sort());
        assert.equal(whole.entries.length, times.length + failures.length);
      },
    );
    await fc.assert(property, { seed, numRuns: 50 });
  });
});
