// Apps of a user: what the user allowed is listed and withdrawn, and every list of sessions names the app of a session.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createPorts } from '../../../../../src/store/ports.ts';
import { asUserId } from '../../../../helpers/people/ids.ts';
import { createWholeKey } from '../../../../helpers/people/service-keys.ts';
import { enterStaff, issueTo } from '../../../../helpers/people/staff.ts';
import { enter, outcomeOf } from '../../../../helpers/people/users.ts';
import { call } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';
import { startApp } from '../../../../helpers/store/app-fixtures.ts';

const shop = {
  id: 'shop',
  name: 'The shop',
  redirectUris: ['https://shop.example/back'],
  logoutUris: ['https://shop.example/bye'],
  firstParty: false,
  secretHash: 'a'.repeat(64),
};

for (const kind of tierStoreKinds)
  describe(`the apps of a user on ${kind}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'apps-'));
    after(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'apps.json');
    writeFileSync(file, JSON.stringify([shop]));
    const stage = setStage(kind, { APPS_FILE: file });
    const arrive = async () => {
      const { JWT: token } = await enter(stage.url);
      const ask = (method: string, path: string) => call(stage.url, method, `/api/auth${path}`, { token });
      const { body } = await ask('GET', '/me');
      const list = async () => (await ask('GET', '/sessions')).body.data.sessions;
      return { ask, list, userId: String(body.data.id), sessionId: String((await list())[0].id) };
    };
    const ports = () => createPorts(stage.service.store);

    it('a user lists what apps may do, and withdraws it: the sessions of the app end, those of others stay', async () => {
      const [ann, bob] = [await arrive(), await arrive()];
      const now = stage.clock.now();
      assert.deepEqual((await ann.ask('GET', '/apps')).body.data, { apps: [] });
      for (const { userId, sessionId } of [ann, bob]) {
        await ports().appStore.saveConsent({
          userId: asUserId(userId),
          appId: 'shop',
          scopes: ['openid', 'files'],
          now,
        });
        await startApp(ports(), sessionId, now);
      }
      await ports().appStore.saveConsent({ userId: asUserId(ann.userId), appId: 'gone', scopes: ['openid'], now });
      const allowedAt = new Date(now).toISOString();
      const kept = { id: 'gone', name: 'gone', scopes: ['openid'], allowedAt };
      const listed = await ann.ask('GET', '/apps');
      assert.deepEqual(
        listed.body.data.apps.toSorted((a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)),
        [kept, { id: 'shop', name: 'The shop', scopes: ['openid', 'files'], allowedAt }],
      );
      assert.equal((await ann.list()).length, 2);
      assert.equal(outcomeOf(await ann.ask('DELETE', '/apps/shop')), '200');
      assert.deepEqual((await ann.ask('GET', '/apps')).body.data, { apps: [kept] });
      assert.deepEqual(
        (await ann.list()).map(({ id }: { id: string }) => id),
        [ann.sessionId],
      );
      assert.equal((await bob.list()).length, 2);
    });

    it('an app that was never allowed is withdrawn without an effect, whatever its id', async () => {
      const { ask, list } = await arrive();
      for (const id of ['shop', 'unknown', 'a%20b', '%00', '%zz', 'x'.repeat(65)])
        assert.equal(outcomeOf(await ask('DELETE', `/apps/${id}`)), '200', id);
      assert.equal((await list()).length, 1);
    });

    it('every list of sessions names the app of a session, and an export what was allowed: for the user, staff and a back end', async () => {
      const { list, userId, sessionId } = await arrive();
      const now = stage.clock.now();
      await startApp(ports(), sessionId, now);
      await startApp(ports(), sessionId, now, { app: 'gone' });
      await ports().appStore.saveConsent({ userId: asUserId(userId), appId: 'shop', scopes: ['openid'], now });
      const expected = [null, { id: 'gone', name: 'gone' }, { id: 'shop', name: 'The shop' }];
      const appsIn = (sessions: readonly { app: { id: string } | null }[]) =>
        sessions.map(({ app }) => app).toSorted((a, b) => (a?.id ?? '').localeCompare(b?.id ?? ''));
      assert.deepEqual(appsIn(await list()), expected);
      const { ask } = await enterStaff(stage.url, (await issueTo(stage.service, stage.clock, 'Ann')).token);
      assert.deepEqual(appsIn((await ask(`GET /users/${userId}`)).data.sessions), expected);
      const revealed = await ask(`POST /users/${userId}/reveal`, { reason: 'ticket 1' });
      assert.deepEqual(appsIn(revealed.data.sessions), expected);
      const exported = await ask(`POST /users/${userId}/export`, { reason: 'ticket 1' });
      assert.deepEqual(appsIn(exported.data.sessions), expected);
      assert.deepEqual(exported.data.allowedApps, [
        { id: 'shop', name: 'The shop', scopes: ['openid'], allowedAt: new Date(now).toISOString() },
      ]);
      const { text: token } = await createWholeKey(stage);
      const found = await call(stage.url, 'GET', `/api/service/users/${userId}/sessions`, { token });
      assert.deepEqual(appsIn(found.body.data.sessions), expected);
    });

    it('staff sees the apps, and nothing of their secrets', async () => {
      const { ask } = await enterStaff(stage.url, (await issueTo(stage.service, stage.clock, 'Ann')).token);
      const { data, text } = await ask('GET /apps');
      assert.deepEqual(data.apps, [
        {
          id: 'shop',
          name: 'The shop',
          kind: 'confidential',
          isFirstParty: false,
          scopes: ['openid', 'phone', 'email', 'offline_access'],
          redirectUris: shop.redirectUris,
          logoutUris: shop.logoutUris,
        },
      ]);
      assert.ok(!text.includes(shop.secretHash));
    });
  });
