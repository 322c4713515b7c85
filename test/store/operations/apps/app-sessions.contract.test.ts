// Contract of SessionStore and AppStore for sessions of apps: whose refresh tokens they take, and what ends with what.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AppScope } from '../../../../src/apps/clients/app.ts';
import type { Rotation, SessionEnd } from '../../../../src/auth/sessions/session.ts';
import { asSessionId, asUserId } from '../../../helpers/people/ids.ts';
import { appId, codeOf, exchange, signedIn, startApp } from '../../../helpers/store/app-fixtures.ts';
import { minute, noon, sessionPolicy } from '../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

type Tokens = { readonly id: string; readonly seedHash: string };

onEveryStore('sessions of apps', (open) => {
  const reasonOf = async (id: string) => (await open().rows('sessions')).find((row) => row.id === id)?.end_reason;
  const rotate = ({ id, seedHash }: Tokens, counter: number, changes: Partial<Rotation> = {}) =>
    open().ports.sessions.rotate({
      sessionId: asSessionId(id),
      seedHash,
      counter,
      policy: sessionPolicy,
      now: noon + minute,
      ...changes,
    });
  const begin = async (scopes: readonly AppScope[] = ['openid', 'phone']) => {
    const { ports } = open();
    const { session, userId } = await signedIn(ports);
    return { userId, parent: session, child: await startApp(ports, session.id, noon, { scopes }) };
  };

  it('a refresh token of an app works for this app only, and one of this service for no app', async () => {
    const { parent, child } = await begin();
    for (const changes of [{}, { appId: 'other' }])
      assert.deepEqual(await rotate(child, 0, changes), { kind: 'invalid' });
    assert.deepEqual(await rotate(parent, 0, { appId }), { kind: 'invalid' });
    const renewed = await rotate(child, 0, { appId });
    assert.ok(renewed.kind === 'renewed');
    assert.deepEqual([renewed.counter, renewed.scopes], [1, ['openid', 'phone']]);
    assert.equal((await rotate(parent, 0)).kind, 'renewed');
  });

  it('an app that asks for more than its session has consumes nothing', async () => {
    const { child } = await begin();
    assert.deepEqual(await rotate(child, 0, { appId, scopes: ['email'] }), { kind: 'too wide' });
    assert.equal((await rotate(child, 0, { appId, scopes: ['phone'] })).kind, 'renewed');
  });

  it('a reused refresh token of an app ends its session and no other', async () => {
    const { parent, child } = await begin();
    await rotate(child, 0, { appId });
    assert.deepEqual(await rotate(child, 0, { appId, now: noon + 3 * minute }), { kind: 'reused' });
    assert.deepEqual([await reasonOf(child.id), await reasonOf(parent.id)], ['reused', null]);
  });

  it('a reused refresh token of this service ends the sessions of apps that come from it', async () => {
    const { ports } = open();
    const { parent, child } = await begin(['openid', 'offline_access']);
    const other = await begin();
    await rotate(parent, 0);
    const outcome = await rotate(parent, 0, { now: noon + 3 * minute });
    assert.deepEqual(outcome, { kind: 'reused', ended: [child.id] });
    assert.deepEqual([await reasonOf(child.id), await reasonOf(other.child.id)], ['reused', null]);
    const ended = (await ports.sessions.endedSince(noon)).map(({ id }) => id);
    assert.ok(ended.includes(child.id) && ended.includes(parent.id));
  });

  const acts: [reason: SessionEnd, scopes: readonly AppScope[], endsChild: boolean][] = [
    ['logged out', ['openid'], true],
    ['logged out', ['openid', 'offline_access'], false],
    ['revoked', ['openid', 'offline_access'], true],
  ];
  for (const [reason, scopes, endsChild] of acts) {
    it(`a session that is ${reason} ${endsChild ? 'ends' : 'spares'} an app with ${scopes.join(' ')}`, async () => {
      const { userId, parent, child } = await begin(scopes);
      const ending = { userId, sessionId: parent.id, scope: 'this', reason, now: noon } as const;
      const ended = await open().ports.sessions.endSessions(ending);
      assert.deepEqual(ended.sort(), (endsChild ? [parent.id, child.id] : [parent.id]).sort());
      assert.equal(await reasonOf(child.id), endsChild ? reason : null);
    });
  }

  it('an app that ends its session ends no other, and only with a token of its own', async () => {
    const { ports } = open();
    const { parent, child } = await begin();
    const ending = { sessionId: child.id, appId, seedHash: child.seedHash, now: noon };
    assert.deepEqual(await ports.appStore.endSession({ ...ending, appId: 'other' }), []);
    assert.deepEqual(await ports.appStore.endSession({ ...ending, seedHash: 'another' }), []);
    assert.deepEqual(await ports.appStore.endSession({ ...ending, sessionId: parent.id, seedHash: undefined }), []);
    assert.deepEqual(await ports.appStore.endSession(ending), [child.id]);
    assert.deepEqual(await ports.appStore.endSession(ending), []);
    assert.deepEqual([await reasonOf(child.id), await reasonOf(parent.id)], ['logged out', null]);
  });

  it('a consent grows with each answer, and is listed', async () => {
    const { ports } = open();
    const { userId } = await begin();
    await ports.appStore.saveConsent({ userId, appId, scopes: ['phone'], now: noon });
    await ports.appStore.saveConsent({ userId, appId, scopes: ['openid'], now: noon + 1 });
    await ports.appStore.saveConsent({ userId: asUserId('nobody'), appId, scopes: ['openid'], now: noon });
    assert.deepEqual(await ports.appStore.listConsents(userId), [
      { appId, scopes: ['openid', 'phone'], createdAt: noon + 1 },
    ]);
    assert.deepEqual(await ports.appStore.listConsents(asUserId('nobody')), []);
  });

  it('a withdrawn consent ends the sessions of the app, and makes its codes worthless', async () => {
    const { ports } = open();
    const { userId, parent, child } = await begin(['openid', 'offline_access']);
    const other = await startApp(ports, parent.id, noon, { app: 'other' });
    for (const app of [appId, 'other'])
      await ports.appStore.saveConsent({ userId, appId: app, scopes: ['openid'], now: noon });
    const code = await codeOf(ports, parent.id, noon);
    assert.deepEqual(await ports.appStore.withdrawConsent({ userId, appId, now: noon }), [child.id]);
    assert.deepEqual(await ports.appStore.withdrawConsent({ userId, appId, now: noon }), []);
    assert.deepEqual((await ports.appStore.exchangeCode(exchange(code, noon))).kind, 'refused');
    assert.deepEqual([await reasonOf(child.id), await reasonOf(other.id)], ['revoked', null]);
    const left = await ports.appStore.listConsents(userId);
    assert.deepEqual(
      left.map((consent) => consent.appId),
      ['other'],
    );
    const events = (await open().rows('audit_events')).filter(
      (row) => row.user_id === userId && row.kind === 'app.withdrawn',
    );
    assert.deepEqual(
      events.map(({ detail }) => JSON.parse(detail)),
      [{ app: appId, sessions: 1 }],
    );
  });

  it('a deleted user leaves no code and no consent, and the sessions of apps end', async () => {
    const { ports } = open();
    const { userId, parent, child } = await begin(['openid', 'offline_access']);
    await ports.appStore.saveConsent({ userId, appId, scopes: ['openid'], now: noon });
    const { sessionIds } = await ports.users.deleteUser({ userId, now: noon });
    assert.deepEqual([...sessionIds].sort(), [parent.id, child.id].sort());
    for (const table of ['app_codes', 'app_consents'] as const)
      assert.deepEqual(
        (await open().rows(table)).filter((row) => row.user_id === userId),
        [],
      );
  });
});
