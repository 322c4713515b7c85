// What the React components know about the user while the service or the storage fails: a state that ends, an error, and another try.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it, type TestContext } from 'node:test';
import { createGatehouse } from '../../client/src/create-gatehouse.ts';
import { memoryStorage } from '../../client/src/storage.ts';
import { createSession, type Session } from '../../react/src/session.ts';
import { type HalfDeadProxy, openHalfDeadProxy } from '../helpers/client/half-dead-proxy.ts';
import { spoilableStorage } from '../helpers/client/spoilable-storage.ts';
import { createSignedIn, openStage, type Stage } from '../helpers/client/stage.ts';
import { newPhone, readCode } from '../helpers/requests/api.ts';
import { waitUntil } from '../helpers/wait-until.ts';

describe('the session of the React package', () => {
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

  /** The page that a signed-in user opens again. `tries` are the pauses that it asked for, and their ends. */
  const openPage = async (t: TestContext, storage = memoryStorage()) => {
    await createSignedIn(proxy.url, { storage });
    const tries: { readonly failures: number; readonly end: () => void }[] = [];
    const client = createGatehouse({ url: proxy.url, storage });
    const session = createSession(client, (failures, _seconds, end) => {
      tries.push({ failures, end });
      return () => undefined;
    });
    const start = () => t.after(session.subscribe(() => undefined));
    return { session, client, tries, start };
  };
  const become = (session: Session, status: string, isFailed = status === 'failed') =>
    waitUntil(
      () => `${status} instead of ${session.read().status}`,
      () => session.read().status === status && (session.read().error !== undefined) === isFailed,
    );

  for (const mood of [401, 404, 500] as const)
    it(`a page that opens behind a portal with the status ${mood} has failed, and finds the user when it is gone`, async (t) => {
      const { session, tries, start } = await openPage(t);
      proxy.set(mood);
      start();
      await become(session, 'failed');
      assert.deepEqual([session.read().error?.code, session.read().error?.status], ['NETWORK', mood]);
      tries[0]?.end();
      await waitUntil('the second failure', () => tries.length === 2);
      assert.deepEqual(
        tries.map(({ failures }) => failures),
        [1, 2],
      );
      proxy.recover();
      tries[1]?.end();
      await become(session, 'signed-in');
      assert.ok(session.read().user);
    });

  it('reload tries at once, and does not fail', async (t) => {
    const { session, start } = await openPage(t);
    proxy.set(500);
    start();
    await become(session, 'failed');
    await session.reload();
    assert.equal(session.read().status, 'failed');
    proxy.recover();
    await session.reload();
    assert.equal(session.read().status, 'signed-in');
  });

  it('another user who signs in over the first one never sees the first one, also while the service fails', async (t) => {
    const { session, client, start } = await openPage(t);
    start();
    await become(session, 'signed-in');
    const phone = newPhone();
    await client.phone.sendCode(phone);
    proxy.set(500, 'GET /api/auth/me');
    await client.phone.signIn(phone, await readCode(stage.url, phone));
    await become(session, 'failed');
    assert.equal(session.read().user, undefined);
  });

  it('a portal takes no user away that was there', async (t) => {
    const { session, start } = await openPage(t);
    start();
    await become(session, 'signed-in');
    proxy.set(401);
    await session.reload();
    assert.deepEqual([session.read().status, session.read().error?.status], ['signed-in', 401]);
    assert.ok(session.read().user);
  });

  it('an ended session is a sign-out', async (t) => {
    const { storage, tokens } = spoilableStorage(proxy.url);
    const { session, start } = await openPage(t, storage);
    const { JWT } = await tokens();
    await fetch(`${stage.url}/api/auth/logout`, { method: 'POST', headers: { authorization: `Bearer ${JWT}` } });
    start();
    await become(session, 'signed-out');
  });

  it('a storage that cannot be read is shown, and tried again', async (t) => {
    const inner = memoryStorage();
    let isBlocked = false;
    const get = (key: string) => {
      if (isBlocked) throw new Error('blocked');
      return inner.get(key);
    };
    const { session, start } = await openPage(t, { ...inner, get });
    isBlocked = true;
    start();
    await become(session, 'failed');
    assert.equal(session.read().error?.code, 'SESSION_STORAGE_FAILED');
    isBlocked = false;
    await session.reload();
    assert.equal(session.read().status, 'signed-in');
  });

  it('a renewal sends the device token, also when its answer was lost, and the user stays', async (t) => {
    const { storage, expire } = spoilableStorage(proxy.url);
    const { session, start } = await openPage(t, storage);
    const device = await storage.get(`gatehouse:${proxy.url}:device`);
    assert.match(String(device), /^[\w-]{75}$/);
    await expire();
    proxy.set('lose', 'POST /api/auth/refresh-token');
    const before = proxy.lines.length;
    start();
    await become(session, 'failed');
    proxy.recover();
    await session.reload();
    assert.equal(session.read().status, 'signed-in');
    const renewals = proxy.lines.slice(before).filter(({ line }) => line === 'POST /api/auth/refresh-token');
    assert.equal(renewals.length, 4);
    for (const { headers } of renewals) assert.equal(headers['device-token'], device);
  });
});
