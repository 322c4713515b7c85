// Service keys on the admin interface: created once with a reason, listed without their text, rotated and revoked.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { backendScopes, mostLiveKeys } from '../../../../src/backend/service-key.ts';
import { createWholeKey } from '../../../helpers/people/service-keys.ts';
import { enterStaff, issueTo } from '../../../helpers/people/staff.ts';
import { outcomeOf } from '../../../helpers/people/users.ts';
import { call } from '../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../helpers/services/stage.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';

const day = 86_400_000;
const wish = { name: 'shop', scopes: ['events:read', 'users:read'], days: 90, reason: 'ticket 1' };

for (const kind of tierStoreKinds)
  describe(`service keys on the admin interface on ${kind}`, () => {
    const stage = setStage(kind);
    const staff = async () => enterStaff(stage.url, (await issueTo(stage.service, stage.clock, 'Ann')).token);
    const use = (key: string) => call(stage.url, 'GET', '/api/service/events', { token: key }).then(outcomeOf);

    it('staff creates a key that works, rotates it, and revokes the old one; the audit log says who and why', async () => {
      const { ask } = await staff();
      assert.deepEqual((await ask('GET /service-keys')).data, { keys: [] });
      const { data: made, text } = await ask('POST /service-keys', wish);
      assert.match(made.key, /^gks_[0-9a-f]{12}_[\w-]{43}$/);
      assert.equal(await use(made.key), '200');
      const { key, ...record } = made;
      assert.deepEqual(record, {
        id: key.slice(4, 16),
        name: 'shop',
        scopes: ['users:read', 'events:read'],
        state: 'live',
        createdBy: 'Ann',
        createdAt: new Date(stage.clock.now()).toISOString(),
        endsAt: new Date(stage.clock.now() + 90 * day).toISOString(),
        lastUsedAt: null,
      });
      assert.equal(text.split(key).length, 2, 'the key is in the answer once');
      const rotated = await ask(`POST /service-keys/${made.id}/rotate`, { days: 365, reason: 'yearly' });
      assert.equal(rotated.outcome, '200');
      for (const one of [key, rotated.data.key]) assert.equal(await use(one), '200');
      assert.equal((await ask(`POST /service-keys/${made.id}/revoke`, { reason: 'replaced' })).outcome, '200');
      await waitUntil('the refusal', async () => (await use(key)) === '403 SERVICE_KEY_INVALID');
      assert.equal(await use(rotated.data.key), '200');
      const list = await ask('GET /service-keys');
      assert.deepEqual(
        list.data.keys.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`),
        ['shop live', 'shop revoked'],
      );
      const audit = await ask('GET /audit');
      type Event = { kind: string; detail: { admin?: string; why?: string } };
      assert.deepEqual(
        audit.data.events
          .filter(({ kind: what }: Event) => what.startsWith('service-key'))
          .map(({ kind: what, detail }: Event) => `${what} ${detail.admin} ${detail.why}`),
        ['service-key.revoked Ann replaced', 'service-key.created Ann yearly', 'service-key.created Ann ticket 1'],
      );
      for (const { text: shown } of [list, audit]) assert.ok(!shown.includes(key.slice(17)));
    });

    it('an unknown or revoked key is not found', async () => {
      const { ask } = await staff();
      const { data: made } = await ask('POST /service-keys', wish);
      const revoke = () => ask(`POST /service-keys/${made.id}/revoke`, { reason: 'x' });
      assert.equal((await revoke()).outcome, '200');
      assert.equal((await revoke()).outcome, '404 NOT_FOUND');
      assert.equal(
        (await ask(`POST /service-keys/${made.id}/rotate`, { days: 1, reason: 'x' })).outcome,
        '404 NOT_FOUND',
      );
      assert.equal((await ask('POST /service-keys/nothing/revoke', { reason: 'x' })).outcome, '404 NOT_FOUND');
    });

    it('a key needs a name, known scopes, an end within a year and a reason', async () => {
      const { ask } = await staff();
      for (const wrong of [
        { name: ' ' },
        { name: 'x'.repeat(61) },
        { scopes: [] },
        { scopes: ['users:everything'] },
        { days: 0 },
        { days: 366 },
        { reason: ' ' },
      ])
        assert.equal(
          (await ask('POST /service-keys', { ...wish, ...wrong })).outcome,
          '400 REQUEST_INVALID',
          JSON.stringify(wrong),
        );
    });

    it('no more keys are created than a node reads at once', async () => {
      const { ask } = await staff();
      const [first] = (await ask('GET /service-keys')).data.keys;
      for (let count = 0; count < mostLiveKeys; count++)
        await createWholeKey(stage, backendScopes, 400 * 1000).catch(({ code }) =>
          assert.equal(code, 'SERVICE_KEYS_FULL'),
        );
      assert.equal((await ask('POST /service-keys', wish)).outcome, '409 SERVICE_KEYS_FULL');
      const rotated = await ask(`POST /service-keys/${first.id}/rotate`, { days: 1, reason: 'x' });
      assert.equal(rotated.outcome, '409 SERVICE_KEYS_FULL');
    });
  });
