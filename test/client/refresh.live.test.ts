// Staying signed in: one refresh for any number of calls, none lost by a bad connection, and one report of the end.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { spoilableStorage } from '../helpers/client/spoilable-storage.ts';
import { createClient, createSignedIn, type Intercept, openStage, type Stage } from '../helpers/client/stage.ts';
import { enter } from '../helpers/people/users.ts';
import { call } from '../helpers/requests/api.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const refreshLine = 'POST /api/auth/refresh-token';

describe('staying signed in with a token that expires soon', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage({ ACCESS_TOKEN_LIFE: '2s' });
  });
  after(() => stage.end());

  it('the client refreshes once for a hundred calls with an expiring token', async () => {
    const { gatehouse, count } = await createSignedIn(stage.url);
    await sleep(1700);
    const users = await Promise.all(Array.from({ length: 100 }, () => gatehouse.me()));
    assert.equal(new Set(users.map(({ id }) => id)).size, 1);
    assert.equal(count(refreshLine), 1);
  });

  it('the client signs no user out while the service cannot refresh', async () => {
    let isDown = false;
    const fail: Intercept = async (line, pass) =>
      isDown && line === refreshLine ? new Response('busy', { status: 502 }) : pass();
    const { gatehouse } = await createSignedIn(stage.url, {}, fail);
    const signedOut: string[] = [];
    gatehouse.on('signed-out', ({ reason }) => signedOut.push(reason));
    isDown = true;
    await sleep(2000);
    await assert.rejects(gatehouse.me(), { code: 'NETWORK', status: 502 });
    isDown = false;
    await gatehouse.me();
    assert.deepEqual(signedOut, []);
  });
});

describe('staying signed in', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  it('the client refreshes once for a hundred calls whose token is refused', async () => {
    const { storage, spoil } = spoilableStorage(stage.url);
    const { gatehouse, count } = await createSignedIn(stage.url, { storage });
    await spoil();
    await Promise.all(Array.from({ length: 100 }, () => gatehouse.me()));
    assert.equal(count(refreshLine), 1);
    assert.equal(count('GET /api/auth/me'), 200);
  });

  it('the client uses tokens that another client of the same storage has refreshed', async () => {
    const { storage, age, tokens } = spoilableStorage(stage.url);
    const first = await createSignedIn(stage.url, { storage });
    const second = createClient(stage.url, { storage });
    const { RT } = await tokens();
    await age();
    await first.gatehouse.me();
    await waitUntil('the new tokens', async () => (await tokens()).RT !== RT);
    await second.gatehouse.me();
    assert.deepEqual([first.count(refreshLine), second.count(refreshLine)], [1, 0]);
  });

  it('the client repeats a refresh whose answer was lost, and gets the same successor', async () => {
    let lost = 0;
    const lose: Intercept = async (line, pass) => {
      const response = await pass();
      if (line !== refreshLine || lost === 2) return response;
      lost += 1;
      throw new TypeError('the connection broke');
    };
    const { gatehouse, count } = await createSignedIn(stage.url, {}, lose);
    const signedOut: string[] = [];
    gatehouse.on('signed-out', ({ reason }) => signedOut.push(reason));
    await gatehouse.refresh();
    assert.equal(count(refreshLine), 3);
    await gatehouse.refresh();
    await gatehouse.me();
    assert.deepEqual(signedOut, []);
  });

  it('the client keeps using a valid token when an early refresh fails', async () => {
    const { storage, age } = spoilableStorage(stage.url);
    const fail: Intercept = async (line, pass) => (line === refreshLine ? new Response('', { status: 500 }) : pass());
    const { gatehouse, count } = await createSignedIn(stage.url, { storage }, fail);
    await age();
    await gatehouse.me();
    assert.equal(count(refreshLine), 1);
  });

  it('the client sends the token to the app’s own API, and refreshes it once on 401', async () => {
    const { storage, spoil } = spoilableStorage(stage.url);
    const { gatehouse, count } = await createSignedIn(stage.url, { storage });
    const path = `${stage.url}/api/auth/logout`;
    await spoil();
    const response = await gatehouse.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"scope":"others"}',
    });
    assert.equal(response.status, 200);
    assert.equal(count(refreshLine), 1);
  });
});

describe('signing out in the client', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  it('the client reports the reason of a sign-out once: signed out, ended elsewhere, deleted', async () => {
    for (const [reason, act] of [
      ['logged-out', (client: Client) => client.gatehouse.signOut()],
      ['logged-out', (client: Client) => client.gatehouse.signOut('global')],
      ['logged-out', endOwnSession],
      ['ended', endElsewhere],
      ['deleted', (client: Client) => client.gatehouse.deleteAccount()],
    ] as const) {
      const client = await createSignedIn(stage.url);
      const reasons: string[] = [];
      client.gatehouse.on('signed-out', (event) => reasons.push(event.reason));
      await act(client);
      await assert.rejects(client.gatehouse.me(), { status: 401 });
      await assert.rejects(client.gatehouse.refresh(), { status: 401 });
      assert.deepEqual(reasons, [reason]);
    }
  });

  it('the client reports an ended session that it finds only when it refreshes', async () => {
    const { storage, age, tokens } = spoilableStorage(stage.url);
    const { gatehouse } = await createSignedIn(stage.url, { storage });
    const reasons: string[] = [];
    gatehouse.on('signed-out', (event) => reasons.push(event.reason));
    await call(stage.url, 'POST', '/api/auth/logout', { token: (await tokens()).JWT });
    await age();
    await assert.rejects(gatehouse.me(), { code: 'SESSION_REVOKED' });
    assert.deepEqual(reasons, ['ended']);
  });

  it('signing out is harmless when no user is signed in', async () => {
    const { gatehouse } = createClient(stage.url);
    await gatehouse.signOut();
  });
});

type Client = Awaited<ReturnType<typeof createSignedIn>>;

async function endOwnSession({ gatehouse }: Client): Promise<void> {
  const [own] = await gatehouse.sessions.list();
  await gatehouse.sessions.end(own?.id ?? '');
}

/** As another device would. */
async function endElsewhere({ url, phone }: Client): Promise<void> {
  const { JWT } = await enter(url, phone);
  await call(url, 'POST', '/api/auth/logout', { token: JWT, body: { scope: 'others' } });
}
