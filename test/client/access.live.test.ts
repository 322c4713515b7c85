// Calls while something else than the service answers: no proxy signs a user out, and a renewal that hangs delays little.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { createGatehouse } from '../../client/src/create-gatehouse.ts';
import { type HalfDeadProxy, type Mood, openHalfDeadProxy } from '../helpers/client/half-dead-proxy.ts';
import { spoilableStorage } from '../helpers/client/spoilable-storage.ts';
import { openStage, type Stage } from '../helpers/client/stage.ts';
import { newPhone, readCode } from '../helpers/requests/api.ts';

const refreshLine = 'POST /api/auth/refresh-token';
const signOutLine = 'POST /api/auth/logout';
/** What is no answer of the service, although it has the status of an ended session. */
const portals: readonly (readonly [string, Mood])[] = [
  ['a page of a portal', 401],
  ['JSON of a gateway', { error: 'login required' }],
  ['JSON that only looks like ours', { success: false, error: 'login required' }],
  ['a code that nobody knows', { success: false, message: 'Sign in.', codeError: 'PORTAL_LOGIN', data: null }],
];

describe('calls through a proxy that answers itself', () => {
  let stage: Stage;
  let proxy: HalfDeadProxy;
  before(async () => {
    stage = await openStage();
    proxy = await openHalfDeadProxy(stage.url);
  });
  after(async () => {
    proxy.close();
    await stage.end();
  });
  afterEach(() => proxy.recover());

  const signIn = async () => {
    const { storage, ...change } = spoilableStorage(proxy.url);
    const gatehouse = createGatehouse({ url: proxy.url, storage });
    const phone = newPhone();
    await gatehouse.phone.sendCode(phone);
    await gatehouse.phone.signIn(phone, await readCode(stage.url, phone));
    const reasons: string[] = [];
    gatehouse.on('signed-out', ({ reason }) => reasons.push(reason));
    return { gatehouse, reasons, ...change };
  };

  for (const [name, mood] of portals) {
    it(`${name} with the status 401 ends no session, at a call and at a renewal`, async () => {
      const { gatehouse, reasons, expire } = await signIn();
      proxy.set(mood);
      await assert.rejects(gatehouse.me(), { name: 'GatehouseError', status: 401 });
      await expire();
      await assert.rejects(gatehouse.me(), { name: 'GatehouseError', status: 401 });
      await assert.rejects(gatehouse.refresh(), { name: 'GatehouseError', status: 401 });
      proxy.set('pass');
      await gatehouse.me();
      assert.deepEqual(reasons, []);
    });

    it(`${name} with the status 401 does not count as a sign-out`, async () => {
      const { gatehouse, reasons } = await signIn();
      proxy.set(mood, signOutLine);
      await assert.rejects(gatehouse.signOut(), { name: 'GatehouseError', status: 401 });
      assert.equal(await gatehouse.isSignedIn(), true);
      assert.deepEqual(reasons, []);
      proxy.set('pass', signOutLine);
      await gatehouse.signOut();
      assert.deepEqual(reasons, ['logged-out']);
    });
  }

  it('a sign-out whose renewal meets a portal is not reported as done', async () => {
    const { gatehouse, reasons, expire } = await signIn();
    await expire();
    proxy.set(401, refreshLine);
    await assert.rejects(gatehouse.signOut(), { code: 'NETWORK', status: 401 });
    assert.deepEqual(reasons, []);
  });

  it('a sign-out whose answer is lost is done at the next try', async () => {
    const { gatehouse, reasons } = await signIn();
    proxy.set('lose', signOutLine);
    await assert.rejects(gatehouse.signOut(), { code: 'NETWORK' });
    assert.equal(await gatehouse.isSignedIn(), true);
    proxy.set('pass', signOutLine);
    await gatehouse.signOut();
    assert.equal(await gatehouse.isSignedIn(), false);
    assert.equal(reasons.length, 1);
  });

  it('a session without tokens, as another mode has stored it, is over at its next renewal', async () => {
    const { gatehouse, reasons, strip } = await signIn();
    await strip();
    await assert.rejects(gatehouse.me(), { code: 'REFRESH_TOKEN_MISSING' });
    assert.equal(await gatehouse.isSignedIn(), false);
    assert.deepEqual(reasons, ['ended']);
  });

  it('a renewal that hangs delays one call a moment while the token is valid, and is tried once', async () => {
    const { gatehouse, age } = await signIn();
    await age();
    proxy.set('hang', refreshLine);
    const before = proxy.count(refreshLine);
    await gatehouse.me();
    const response = await gatehouse.fetch(`${proxy.url}/api/auth/me`);
    assert.equal(response.status, 200);
    assert.equal(proxy.count(refreshLine), before + 1);
    // Its next attempt would be counted in the next test.
    proxy.recover();
    await gatehouse.refresh();
  });

  it('a renewal that fails is not tried again with each call while the token is valid', async () => {
    const { gatehouse, age } = await signIn();
    await age();
    proxy.set(401, refreshLine);
    const before = proxy.count(refreshLine);
    for (let call = 0; call < 5; call++) await gatehouse.me();
    assert.equal(proxy.count(refreshLine), before + 1);
  });

  it('a call has the new token where the renewal answers, and a sign-out is reported as one', async () => {
    const { gatehouse, reasons, age, tokens } = await signIn();
    const first = await tokens();
    await age();
    await gatehouse.me();
    assert.notEqual((await tokens()).RT, first.RT);
    await age();
    await gatehouse.signOut();
    assert.deepEqual(reasons, ['logged-out']);
  });

  it('a call whose token has expired waits for the renewal', async () => {
    const { gatehouse, expire } = await signIn();
    await expire();
    const before = proxy.count(refreshLine);
    await gatehouse.me();
    assert.equal(proxy.count(refreshLine), before + 1);
  });
});
