// The check of the doctor for service keys: ends that come soon, and keys that nobody uses.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServiceKey } from '../../../src/backend/service-key.ts';
import { judgeServiceKeys } from '../../../src/commands/doctor/examine-service-keys.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 5, 1);
const key: ServiceKey = {
  id: '3fa94c1be07d',
  name: 'shop',
  scopes: ['users:read'],
  createdBy: 'cli',
  createdAt: now - 100 * day,
  endsAt: now + 100 * day,
  revokedAt: undefined,
  lastUsedAt: now - day,
};

const said = (...keys: readonly ServiceKey[]) =>
  judgeServiceKeys(keys, now).map(({ state, detail }) => `${state}: ${detail}`);

describe('the doctor on service keys', () => {
  const cases: readonly (readonly [what: string, keys: readonly ServiceKey[], findings: readonly string[]])[] = [
    ['no key', [], ['good: none; /api/service is closed']],
    ['a key in use', [key], ['good: 1 live']],
    ['an ended key', [{ ...key, endsAt: now }], ['good: none; /api/service is closed']],
    ['a key that ends in 14 days', [{ ...key, endsAt: now + 14 * day }], ['good: 1 live']],
    [
      'a key that ends sooner',
      [{ ...key, endsAt: now + 14 * day - 1 }],
      ['doubtful: “shop” (3fa94c1be07d) ends in 13 days'],
    ],
    ['a key on its last day', [{ ...key, endsAt: now + 1 }], ['doubtful: “shop” (3fa94c1be07d) ends within a day']],
    [
      'a key that ends soon and was replaced by one in use',
      [
        { ...key, endsAt: now + day },
        { ...key, id: 'new' },
      ],
      ['good: 2 live'],
    ],
    [
      'a key whose replacement was never used',
      [
        { ...key, endsAt: now + day },
        { ...key, id: 'new', createdAt: now, lastUsedAt: undefined },
      ],
      ['doubtful: “shop” (3fa94c1be07d) ends in 1 day'],
    ],
    [
      'a key beside one with another name',
      [
        { ...key, endsAt: now + day },
        { ...key, id: 'new', name: 'other' },
      ],
      ['doubtful: “shop” (3fa94c1be07d) ends in 1 day'],
    ],
    [
      'a key that was never used since 90 days',
      [{ ...key, createdAt: now - 90 * day, lastUsedAt: undefined }],
      ['doubtful: “shop” (3fa94c1be07d) was not used for 90 days'],
    ],
    [
      'a key that was never used since 89 days',
      [{ ...key, createdAt: now - 89 * day, lastUsedAt: undefined }],
      ['good: 1 live'],
    ],
    [
      'a key that was last used 90 days ago',
      [{ ...key, lastUsedAt: now - 90 * day }],
      ['doubtful: “shop” (3fa94c1be07d) was not used for 90 days'],
    ],
  ];
  for (const [what, keys, findings] of cases)
    it(`the doctor judges ${what}`, () => assert.deepEqual(said(...keys), findings));
});
