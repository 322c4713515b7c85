// Contract of AppStore: codes, and the sessions of apps that start from them.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Authorization, CodeExchange } from '../../../../src/apps/app-store.ts';
import { appId, authorization, codeOf, exchange, signedIn, startApp } from '../../../helpers/store/app-fixtures.ts';
import { bind, minute, newEmail, newPhone, noon, sessionPolicy, signIn } from '../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

const idle = sessionPolicy.idleSeconds * 1000;

onEveryStore('codes of apps', (open) => {
  const rowOf = async (id: string) => (await open().rows('sessions')).find((row) => row.id === id);
  const eventsOf = async (userId: string, kind: string) =>
    (await open().rows('audit_events'))
      .filter((row) => row.user_id === userId && row.kind === kind)
      .map(({ detail }) => JSON.parse(detail));
  const ask = async (sessionId: string, now = noon, changes: Partial<Authorization> = {}) =>
    (await open().ports.appStore.authorize(authorization(sessionId, now, changes))).kind;
  const swap = (codeHash: string, changes: Partial<CodeExchange> = {}, now = noon) =>
    open().ports.appStore.exchangeCode(exchange(codeHash, now, changes));
  const refused = { kind: 'refused', ended: [] };

  it('a session of this service gives a code, and lives on from then', async () => {
    const { session } = await signedIn(open().ports);
    assert.equal(await ask(session.id, noon + minute), 'issued');
    const row = await rowOf(session.id);
    assert.deepEqual([row?.last_used_at, row?.expires_at], [noon + minute, noon + minute + idle]);
  });

  it('no code comes from an unknown, ended or expired session, from a session of an app, or for a blocked user', async () => {
    const { ports } = open();
    const { session, userId } = await signedIn(ports);
    assert.equal(await ask('unknown'), 'signed out');
    assert.equal(await ask(session.id, noon + idle), 'signed out');
    assert.equal(await ask((await startApp(ports, session.id, noon)).id), 'signed out');
    await ports.sessions.endSessions({ userId, sessionId: session.id, scope: 'this', reason: 'logged out', now: noon });
    assert.equal(await ask(session.id), 'signed out');
    assert.equal((await open().rows('app_codes')).filter((row) => row.user_id === userId).length, 1);
  });

  it('a code waits for a proof and for a consent, where the app asks for them', async () => {
    const { ports } = open();
    const { session, userId } = await signedIn(ports);
    assert.equal(await ask(session.id, noon, { provedAfter: noon + 1 }), 'needs proof');
    assert.equal(await ask(session.id, noon, { consentedAfter: 0 }), 'needs consent');
    await ports.appStore.saveConsent({ userId, appId, scopes: ['openid'], now: noon });
    assert.equal(await ask(session.id, noon, { consentedAfter: 0 }), 'needs consent');
    await ports.appStore.saveConsent({ userId, appId, scopes: ['phone'], now: noon });
    assert.equal(await ask(session.id, noon, { consentedAfter: 0 }), 'issued');
    assert.equal(await ask(session.id, noon, { consentedAfter: noon + 1 }), 'needs consent');
    assert.equal(await ask(session.id, noon, { consentedAfter: 0, appId: 'other' }), 'needs consent');
    assert.equal(await ask(session.id, noon, { actedAfter: noon + 1 }), 'needs consent');
  });

  it('a code that was given while the user withdrew the consent is worth nothing', async () => {
    const { ports } = open();
    const { session, userId } = await signedIn(ports);
    const needsConsent = true;
    // The code that a withdrawal on another node did not see yet.
    assert.deepEqual(await swap(await codeOf(ports, session.id, noon), { needsConsent }), refused);
    await ports.appStore.saveConsent({ userId, appId, scopes: ['openid'], now: noon });
    assert.deepEqual(await swap(await codeOf(ports, session.id, noon), { needsConsent }), refused);
    await ports.appStore.saveConsent({ userId, appId, scopes: ['phone'], now: noon });
    assert.equal((await swap(await codeOf(ports, session.id, noon), { needsConsent })).kind, 'started');
  });

  it('a code starts a session of the app with the proof of the session that gave it', async () => {
    const { ports } = open();
    const [phone, email] = [newPhone(), newEmail()];
    const { session, userId } = await signIn(ports, phone, noon, { session: { method: 'link' } });
    await bind(ports, userId, email, noon);
    const { started, id } = await startApp(ports, session.id, noon + minute, { scopes: ['openid', 'email'] });
    const user = await ports.users.findUser(userId);
    assert.deepEqual([user?.phone, user?.email], [phone, email]);
    const expected = { user, claims: {}, proof: 'link', provedAt: noon, nonce: 'a nonce' };
    const times = { endsAt: noon + minute + sessionPolicy.lifeSeconds * 1000, evicted: [] };
    const scopes = { scopes: ['openid', 'email'], parentId: session.id };
    assert.deepEqual(started, { kind: 'started', ...expected, ...scopes, ...times });
    const row = await rowOf(id);
    assert.deepEqual([row?.app_id, row?.app_scopes, row?.parent_id], [appId, 'openid email', session.id]);
    assert.deepEqual(await eventsOf(userId, 'app.signed-in'), [{ session: id, app: appId, ip: '192.0.2.7' }]);
    const listed = await ports.sessions.listSessions({ userId, now: noon + minute });
    assert.deepEqual(new Set(listed.map((each) => each.appId)), new Set([appId, undefined]));
    assert.equal(listed.length, 2);
  });

  it('a code that is used twice gives one session, and the second use ends it', async () => {
    const { ports } = open();
    const { session, userId } = await signedIn(ports);
    const first = await startApp(ports, session.id, noon);
    assert.deepEqual(await swap(first.codeHash), { kind: 'refused', ended: [first.id] });
    assert.equal((await rowOf(first.id))?.end_reason, 'reused');
    assert.deepEqual(await swap(first.codeHash), refused);
    const event = { session: first.id, app: appId, ip: '192.0.2.7' };
    assert.deepEqual(await eventsOf(userId, 'app.code-reused'), [event]);
    assert.equal((await rowOf(session.id))?.ended_at, null);
  });

  const wrong: [what: string, Partial<CodeExchange>][] = [
    ['another app', { appId: 'other' }],
    ['another address', { redirectUri: 'https://shop.example/other' }],
    ['another verifier', { challenge: 'another' }],
  ];
  for (const [what, changes] of wrong) {
    it(`a code is used up by ${what}`, async () => {
      const { session } = await signedIn(open().ports);
      const code = await codeOf(open().ports, session.id, noon);
      assert.deepEqual(await swap(code, changes), refused);
      assert.deepEqual(await swap(code), refused);
    });
  }

  it('a code is worth nothing after a minute, after its session has ended, and for a blocked or deleted user', async () => {
    const { ports, store } = open();
    const late = await signedIn(ports);
    assert.deepEqual(await swap(await codeOf(ports, late.session.id, noon), {}, noon + minute), refused);
    const out = await signedIn(ports);
    const code = await codeOf(ports, out.session.id, noon);
    const ending = { userId: out.userId, sessionId: out.session.id, scope: 'this', reason: 'logged out' } as const;
    await ports.sessions.endSessions({ ...ending, now: noon });
    assert.deepEqual(await swap(code), refused);
    const gone = await signedIn(ports);
    const lost = await codeOf(ports, gone.session.id, noon);
    await ports.users.deleteUser({ userId: gone.userId, now: noon });
    assert.deepEqual(await swap(lost), refused);
    const blocked = await signedIn(ports);
    const held = await codeOf(ports, blocked.session.id, noon);
    const by = { actor: 'cli', why: 'a test' } as const;
    await store.call('directory.actOn', { userId: blocked.userId, act: 'block', by, now: noon });
    assert.deepEqual(await swap(held), refused);
    assert.equal(await ask(blocked.session.id), 'signed out');
  });

  it('apps evict their own sessions only, and sign-ins spare the sessions of apps', async () => {
    const { ports } = open();
    const phone = newPhone();
    const { session, userId } = await signedIn(ports, noon, phone);
    const first = await startApp(ports, session.id, noon + 1, { perUser: 2 });
    const other = await startApp(ports, session.id, noon + 2, { app: 'other', perUser: 2 });
    const second = await startApp(ports, session.id, noon + 3, { perUser: 2 });
    const third = await startApp(ports, session.id, noon + 4, { perUser: 2 });
    assert.deepEqual(third.started.evicted, [first.id]);
    const policy = { ...sessionPolicy, perUser: 1 };
    const next = await signIn(ports, phone, noon + 5, { session: { policy } });
    assert.deepEqual(next.evicted, [session.id]);
    const live = await ports.sessions.listSessions({ userId, now: noon + 6 });
    assert.deepEqual(
      live.map(({ id }) => id),
      [next.session.id, third.id, second.id, other.id],
    );
  });

  it('the sweep removes codes an hour after their end', async () => {
    const { ports, store } = open();
    const { session, userId } = await signedIn(ports);
    await codeOf(ports, session.id, noon);
    const left = async () => (await open().rows('app_codes')).filter((row) => row.user_id === userId).length;
    const sweep = (now: number) =>
      store.call('tables.sweep', {
        target: 'appCodes',
        most: 1000,
        accessTokenLifeSeconds: 900,
        now,
      });
    await sweep(noon + 61 * minute);
    assert.equal(await left(), 1);
    await sweep(noon + 61 * minute + 1);
    assert.equal(await left(), 0);
  });
});
