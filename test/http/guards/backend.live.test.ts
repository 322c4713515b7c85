// Service keys over HTTP: limits by key and by address, SERVICE_FROM and ADMIN_FROM, no CORS, the last use, and revocation on another node.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { revokeServiceKey } from '../../../src/backend/revoke-service-key.ts';
import { createOperatorPorts } from '../../../src/store/ports.ts';
import { freePort } from '../../helpers/databases/postgres-server.ts';
import { createServiceKey, createWholeKey } from '../../helpers/people/service-keys.ts';
import { issueTo } from '../../helpers/people/staff.ts';
import { outcomeOf } from '../../helpers/people/users.ts';
import { call } from '../../helpers/requests/api.ts';
import { request, sendRaw } from '../../helpers/requests/raw-request.ts';
import { isRepeat, startGatehouse, storeKinds, tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { type Stage, setStage } from '../../helpers/services/stage.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const by = { actor: 'cli', why: 'a test' } as const;
const path = '/api/service/events';
const read = (url: string, token: string, headers: Record<string, string> = {}) =>
  call(url, 'GET', path, { token, headers }).then(outcomeOf);

/** A node may still have read the keys before this one. */
async function revoke(stage: Stage, id: string): Promise<void> {
  const { serviceKeys } = createOperatorPorts(stage.service.store);
  await revokeServiceKey({ serviceKeys, clock: stage.clock }, { id, by });
}

for (const kind of tierStoreKinds) {
  describe(`a service key over HTTP on ${kind}`, () => {
    const stage = setStage(kind, { CORS_ORIGINS: 'https://app.example' });

    it('the back end is not found before the first key and after the last, and a new key works at once', async () => {
      assert.equal(outcomeOf(await call(stage.url, 'GET', path)), '404 NOT_FOUND');
      const { text, id } = await createWholeKey(stage);
      assert.equal(await read(stage.url, text), '200');
      assert.equal(outcomeOf(await call(stage.url, 'GET', path)), '403 SERVICE_KEY_INVALID');
      await revoke(stage, id);
      await waitUntil('the refusal', async () => (await read(stage.url, text)) === '404 NOT_FOUND');
    });

    it('the last use of a key is recorded', async () => {
      const { text, id } = await createWholeKey(stage);
      const { serviceKeys } = createOperatorPorts(stage.service.store);
      const used = async () => (await serviceKeys.list(100)).find((key) => key.id === id)?.lastUsedAt;
      assert.equal(await used(), undefined);
      await read(stage.url, text);
      assert.equal(await used(), stage.clock.now());
    });

    it('a page of a CORS origin gets no CORS headers from the back end, and no preflight', async () => {
      const key = await createServiceKey(stage);
      const origin = 'https://app.example';
      const preflight = await fetch(`${stage.url}${path}`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET' },
      });
      assert.notEqual(preflight.status, 204);
      const reply = await call(stage.url, 'GET', path, { token: key, headers: { origin } });
      assert.equal(outcomeOf(reply), '403 SERVICE_KEY_INVALID');
      for (const { headers } of [preflight, reply])
        assert.deepEqual(
          [...headers.keys()].filter((name) => name.startsWith('access-control')),
          [],
        );
      const other = await call(stage.url, 'GET', '/api/auth/me', { headers: { origin } });
      assert.equal(other.headers.get('access-control-allow-origin'), origin);
    });
  });

  describe(`the limits of service keys on ${kind}`, () => {
    const stage = setStage(kind, { LIMIT_REQUESTS_PER_KEY: '3/1h', LIMIT_REQUESTS_PER_IP: '5/1h' });

    it('requests with a valid key are counted by key alone, and those without one by address', async () => {
      const [one, other] = [await createServiceKey(stage), await createServiceKey(stage)];
      // Each key is read from the store once, and only that read is counted by address.
      for (const key of [one, other]) {
        for (let count = 0; count < 3; count++) assert.equal(await read(stage.url, key), '200');
        const refused = await call(stage.url, 'GET', path, { token: key });
        assert.equal(outcomeOf(refused), '429 RATE_LIMITED');
        assert.match(refused.headers.get('ratelimit-policy') ?? '', /requests-per-key/);
      }
      const answers: string[] = [];
      for (let count = 0; count < 6; count++) answers.push(await read(stage.url, 'gks_wrong'));
      assert.equal(answers[0], '403 SERVICE_KEY_INVALID');
      assert.equal(answers.at(-1), '429 RATE_LIMITED');
      const me = await call(stage.url, 'GET', '/api/auth/me');
      assert.match(me.headers.get('ratelimit-policy') ?? '', /requests-per-ip/, 'the same count as for other calls');
      const unknown = `gks_${'a'.repeat(12)}_${'b'.repeat(43)}`;
      assert.equal(await read(stage.url, unknown), '429 RATE_LIMITED', 'an unknown key costs a read');
    });
  });

  describe(`SERVICE_FROM and ADMIN_FROM on ${kind}`, () => {
    const stage = setStage(kind, {
      SERVICE_FROM: '10.1.0.0/16,2001:db8::7',
      ADMIN_FROM: '10.3.0.0/16,2001:db8::9',
      CORS_ORIGINS: 'https://app.example',
      TRUSTED_PROXIES: '127.0.0.1',
    });

    it('a key works only from the networks that SERVICE_FROM names, to the last bit of an IPv6 address', async () => {
      const key = await createServiceKey(stage);
      for (const [client, answer] of [
        ['10.1.2.3', '200'],
        ['10.2.2.3', '403 SERVICE_KEY_INVALID'],
        ['2001:db8::7', '200'],
        ['2001:db8::8', '403 SERVICE_KEY_INVALID'],
        ['10.1.2.3, 10.2.2.3', '403 SERVICE_KEY_INVALID'],
      ] as const)
        assert.equal(await read(stage.url, key, { 'x-forwarded-for': client }), answer, client);
      assert.equal(await read(stage.url, key), '403 SERVICE_KEY_INVALID', 'the proxy itself');
    });

    it('the admin page and its API exist only for the networks that ADMIN_FROM names', async () => {
      const { token } = await issueTo(stage.service, stage.clock, 'Ann');
      const from = (client: string) => [`X-Forwarded-For: ${client}`];
      const json = 'Content-Type: application/json';
      const enter = request('POST /api/admin/session', [json, ...from('10.3.1.1')], JSON.stringify({ token }));
      const [entered] = await sendRaw(stage.url, enter);
      const cookie = `Cookie: ${(entered?.headers['set-cookie'] ?? '').split(';')[0]}`;
      const ask = async (line: string, headers: readonly string[]) => {
        const [reply] = await sendRaw(stage.url, request(line, headers));
        const { 'x-request-id': _, date: __, ...rest } = reply?.headers ?? assert.fail(line);
        return { ...reply, headers: rest };
      };
      for (const [line, status] of [
        ['GET /admin', 200],
        ['GET /api/admin/session', 200],
        ['PUT /api/admin/session', 405],
      ] as const)
        for (const client of ['10.3.1.1', '2001:db8::9', '203.0.113.1, 10.3.1.1'])
          assert.equal((await ask(line, [cookie, ...from(client)])).status, status, `${line} from ${client}`);
      const preflight = ['Origin: https://app.example', 'Access-Control-Request-Method: GET'];
      for (const client of ['10.4.1.1', '10.1.1.1', '2001:db8::8', '10.3.1.1, 203.0.113.1'])
        for (const path of ['/admin', '/api/admin/session', '/api/admin/users'])
          for (const [method, headers] of [
            ['GET', [cookie]],
            ['PUT', [cookie]],
            ['OPTIONS', preflight],
            ['CONNECT', []],
          ] as const) {
            const sent = [...headers, ...from(client)];
            const what = `${method} ${path} from ${client}`;
            assert.deepEqual(await ask(`${method} ${path}`, sent), await ask(`${method} /nowhere`, sent), what);
          }
      assert.equal((await ask('GET /api/admin/session', [cookie])).status, 404, 'the proxy itself');
    });
  });
}

for (const kind of storeKinds)
  describe(`service keys on two nodes with one database on ${kind}`, { skip: isRepeat }, () => {
    const stage = setStage(kind);

    it('a key that one node creates works on the other, and one that it revokes is refused there', async (test) => {
      const other = await startGatehouse({ ...stage.env, PORT: String(await freePort()) }, stage.clock);
      test.after(() => other.stop());
      const kept = await createServiceKey(stage);
      const { text, id } = await createWholeKey(stage);
      for (const { url } of [stage, other]) assert.equal(await read(url, text), '200');
      await revoke(stage, id);
      for (const { url } of [stage, other]) {
        await waitUntil('the refusal', async () => (await read(url, text)) === '403 SERVICE_KEY_INVALID');
        assert.equal(await read(url, kept), '200');
      }
    });
  });
