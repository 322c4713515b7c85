// Service keys: their text, their state, what a rotation takes over, and what the audit log says.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  draftOfRotation,
  isFull,
  isSecretOf,
  keyCreatedEvent,
  keyOfDraft,
  keyRevokedEvent,
  makeServiceKey,
  mostLiveKeys,
  parseServiceKey,
  readScopes,
  revokeKey,
  type ServiceKeyDraft,
  stateOfKey,
  useOfKey,
} from '../../src/backend/service-key.ts';

const now = Date.UTC(2026, 5, 1);
const secret = 'S'.repeat(43);
const by = { actor: 'cli', why: 'a test' } as const;
const draft: ServiceKeyDraft = {
  id: '3fa94c1be07d',
  name: 'shop',
  scopes: ['users:read', 'events:read'],
  secretHash: 'hash',
  endsAt: now + 1000,
  by,
  now,
};

describe('the text of a service key', () => {
  it('a new key is read back, and no two are the same', () => {
    const [one, other] = [makeServiceKey(), makeServiceKey()];
    assert.match(one.text, /^gks_[A-Za-z0-9-]{12}_[A-Za-z0-9_-]{43}$/);
    const read = parseServiceKey(one.text);
    assert.equal(read?.id, one.id);
    assert.ok(isSecretOf(one, read?.secret ?? ''));
    assert.ok(!isSecretOf(other, read?.secret ?? ''));
    assert.ok(!one.secretHash.includes(read?.secret ?? ''));
    assert.notEqual(one.id, other.id);
  });

  it('the secret may contain underscores, and the id may not', () => {
    assert.deepEqual(parseServiceKey(`gks_abcdefABCD-9_${'_'.repeat(43)}`), {
      id: 'abcdefABCD-9',
      secret: '_'.repeat(43),
    });
    assert.equal(parseServiceKey(`gks_abcdef_BCD-9_${secret}`), undefined);
  });

  for (const text of [
    '',
    'gks',
    `gks_3fa94c1be07d_${secret}S`,
    `gks_3fa94c1be07d_${secret.slice(1)}`,
    `gks_3fa94c1be07_${secret}`,
    `gks_3fa94c1be07dd_${secret}`,
    `GKS_3fa94c1be07d_${secret}`,
    `gks-3fa94c1be07d-${secret}`,
    ` gks_3fa94c1be07d_${secret}`,
    `gks_3fa94c1be07d_${secret}\n`,
    `gks_3fa94c1be07d_${secret.slice(1)}é`,
    `gks_3fa94c1be0.d_${secret}`,
  ])
    it(`${JSON.stringify(text)} is not a key`, () => assert.equal(parseServiceKey(text), undefined));
});

describe('the state of a service key', () => {
  const key = keyOfDraft(draft);

  it('a key is live until its end', () => {
    assert.equal(stateOfKey(key, now + 999), 'live');
    assert.equal(stateOfKey(key, now + 1000), 'ended');
  });

  it('a revoked key ends at once, stays revoked after its end, and is not revoked twice', () => {
    const revoked = revokeKey(key, now + 10);
    assert.deepEqual(revoked, { revokedAt: now + 10, endsAt: now + 10 });
    assert.equal(stateOfKey({ ...key, ...revoked }, now + 10), 'revoked');
    assert.equal(revokeKey({ ...key, ...revoked }, now + 20), undefined);
  });

  it('a key that has ended may be revoked, and its end stays', () => {
    assert.deepEqual(revokeKey(key, now + 5000), { revokedAt: now + 5000, endsAt: now + 1000 });
  });

  it('a use is written once a minute, and never set back', () => {
    assert.equal(useOfKey(key, now), now);
    assert.equal(useOfKey({ lastUsedAt: now }, now + 59_999), undefined);
    assert.equal(useOfKey({ lastUsedAt: now }, now + 60_000), now + 60_000);
    assert.equal(useOfKey({ lastUsedAt: now }, now - 3_600_000), undefined);
  });

  it('only live keys count towards the limit', () => {
    const live = Array.from({ length: mostLiveKeys - 1 }, () => now + 1);
    assert.ok(!isFull([...live, now], now));
    assert.ok(isFull([...live, now + 1], now));
  });

  it('a stored scope that this version does not know opens nothing', () => {
    assert.deepEqual(readScopes('users:read later:scope events:read'), ['users:read', 'events:read']);
    assert.deepEqual(readScopes(''), []);
  });
});

describe('a rotated service key', () => {
  const { replaces, ...rotation } = { ...draft, id: 'new', endsAt: now + 9000, replaces: draft.id };
  const { name: _, scopes: __, ...fresh } = rotation;

  it('a rotation takes over name and scopes, of an ended key too', () => {
    const old = keyOfDraft({ ...draft, endsAt: now - 1 });
    assert.deepEqual(draftOfRotation(old, { ...fresh, replaces }), rotation);
  });

  it('a revoked key is not rotated', () => {
    const old = { ...keyOfDraft(draft), revokedAt: now };
    assert.equal(draftOfRotation(old, { ...fresh, replaces }), undefined);
  });
});

describe('the audit events of service keys', () => {
  it('the creation says who, why, what and until when, and holds no secret', () => {
    const detail = {
      ...by,
      serviceKey: '3fa94c1be07d',
      name: 'shop',
      scopes: 'users:read events:read',
      endsAt: '2026-06-01T00:00:01.000Z',
    };
    assert.deepEqual(keyCreatedEvent(draft), { kind: 'service-key.created', detail, now });
    assert.deepEqual(keyCreatedEvent(draft, 'old').detail, { ...detail, replaces: 'old' });
  });

  it('the revocation says who, why and which', () => {
    const { id } = draft;
    assert.deepEqual(keyRevokedEvent(keyOfDraft(draft), { id, by, now }), {
      kind: 'service-key.revoked',
      detail: { ...by, serviceKey: id, name: 'shop' },
      now,
    });
  });

  it('the list of keys names who created each', () => {
    assert.equal(keyOfDraft(draft).createdBy, 'cli');
    const admin = { actor: 'admin', admin: 'Ada', token: 't', why: 'x' } as const;
    assert.equal(keyOfDraft({ ...draft, by: admin }).createdBy, 'Ada');
  });
});
