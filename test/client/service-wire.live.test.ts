// The client of back ends when things go wrong: what it repeats, when it gives up, and that its key leaks to nobody.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { createService } from '../../client/src/service.ts';
import { freePort } from '../helpers/databases/postgres-server.ts';

const key = `gks_0123456789ab_${'s'.repeat(43)}`;
const user = { id: 'u1', phone: null };
const id = '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const envelope = (status: number, body: object, headers: Record<string, string> = {}): Answer => {
  return (_request, response) => response.writeHead(status, headers).end(JSON.stringify(body));
};
const succeed = (data: unknown) => envelope(200, { success: true, message: 'ok', codeError: null, data });
const fail = (status: number, codeError: string, headers?: Record<string, string>, message = 'no') =>
  envelope(status, { success: false, message, codeError, data: null }, headers);
const hangUp: Answer = (request) => request.socket.destroy();

describe('the client of a back end', () => {
  let url: string;
  let script: Answer[] = [];
  let seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    request.resume();
    (script.length > 1 ? script.shift() : script[0])?.(request, response);
  });
  before(async () => {
    const port = await freePort();
    server.listen(port, '127.0.0.1');
    url = `http://127.0.0.1:${port}`;
  });
  after(() => server.close());
  const stage = (...answers: Answer[]) => {
    script = answers;
    seen = [];
    return createService({ url, key });
  };

  it('a reading call is repeated after a lost connection, after 429 and after 503', async () => {
    const busy = fail(429, 'RATE_LIMITED', { 'retry-after': '0' });
    const service = stage(hangUp, busy, succeed(user));
    assert.deepEqual(await service.users.get(id), user);
    assert.equal(seen.length, 3);
    const down = stage(fail(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }), succeed({ active: false }));
    assert.deepEqual(await down.tokens.check('x'), { active: false });
  });

  it('a reading call is not repeated if the service asks to wait for long, or refuses', async () => {
    for (const [answer, code] of [
      [fail(429, 'RATE_LIMITED', { 'retry-after': '60' }), 'RATE_LIMITED'],
      [fail(403, 'SERVICE_SCOPE_MISSING'), 'SERVICE_SCOPE_MISSING'],
    ] as const) {
      await assert.rejects(stage(answer).users.get(id), { name: 'GatehouseError', code });
      assert.equal(seen.length, 1);
    }
  });

  it('a writing call is repeated only if the service refused to begin with it', async () => {
    const service = stage(fail(429, 'RATE_LIMITED', { 'retry-after': '0' }), succeed({ endedSessions: 0 }));
    await service.users.block(id);
    assert.equal(seen.length, 2);
    for (const answer of [hangUp, fail(503, 'SERVICE_UNAVAILABLE')]) {
      const broken = stage(answer);
      for (const act of [
        () => broken.users.delete(id),
        () => broken.users.update(id, { claims: null }),
        () => broken.files.delete('fil_x'),
        () => broken.users.endSessions(id),
      ]) {
        seen = [];
        await assert.rejects(act(), { name: 'GatehouseError' });
        assert.equal(seen.length, 1);
      }
    }
  });

  it('an upload is repeated with the same Idempotency-Key', async () => {
    const service = stage(hangUp, fail(409, 'UPLOAD_IN_PROGRESS', { 'retry-after': '0' }), succeed({ id: 'fil_x' }));
    const file = await service.files.upload(id, new Blob(['a']), { purpose: 'document' });
    assert.equal(file.id, 'fil_x');
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
  });

  it('a call ends after its timeout, and at the signal of its caller', async () => {
    const silent: Answer = () => undefined;
    stage(silent);
    const hasty = createService({ url, key, timeout: 20 });
    await assert.rejects(hasty.users.delete(id), { code: 'NETWORK', status: 0 });
    const stop = new AbortController();
    const listing = stage(silent).files.list(id, { signal: stop.signal }).next();
    stop.abort();
    await assert.rejects(listing, { code: 'ABORTED' });
  });

  it('following events outlives an outage, and ends with its signal or when its cursor has expired', async () => {
    const event = { id: 'e1', type: 'user.created', version: 1, timestamp: '', data: {} };
    const outage = fail(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' });
    const service = stage(
      outage,
      outage,
      outage,
      outage,
      succeed({ events: [event], next: 'c1' }),
      fail(410, 'CURSOR_EXPIRED'),
    );
    const events = service.events.follow({ after: 'c0', pollEvery: 1 });
    assert.deepEqual((await events.next()).value, { ...event, cursor: 'c1' });
    await assert.rejects(events.next(), { name: 'GatehouseError', code: 'CURSOR_EXPIRED' });
    const stop = new AbortController();
    const quiet = stage(succeed({ events: [], next: 'c1' })).events.follow({ signal: stop.signal, pollEvery: 60_000 });
    const waiting = quiet.next();
    stop.abort();
    assert.deepEqual(await waiting, { value: undefined, done: true });
  });

  it('the cursor of an event stands before its page until the last event of the page', async () => {
    const event = (name: string) => ({ id: name, type: 'user.created', version: 1, timestamp: '', data: {} });
    const service = stage(
      succeed({ events: [event('1'), event('2')], next: 'c1' }),
      succeed({ events: [event('3'), event('4')], next: 'c2' }),
    );
    const cursors: (string | null)[] = [];
    for await (const { cursor, id: name } of service.events.follow()) {
      cursors.push(cursor);
      if (name === '4') break;
    }
    assert.deepEqual(cursors, [null, 'c1', 'c1', 'c2']);
  });

  it('the key is in no error, no copy and no picture of the client', async () => {
    const dead = `http://127.0.0.1:${await freePort()}`;
    const talkative: typeof fetch = (input, init) => {
      const failure = new TypeError(`cannot send ${JSON.stringify(init?.headers)}`, { cause: new Error(key) });
      return Promise.reject(Object.assign(failure, { init, input }));
    };
    const echo: Answer = (request, response) => {
      fail(403, 'SERVICE_KEY_INVALID', {}, `refused ${request.headers.authorization}`)(request, response);
    };
    const refused = stage(echo);
    const clients = [refused, createService({ url: dead, key }), createService({ url, key, fetch: talkative })];
    for (const client of clients) {
      for (const act of [
        () => client.users.delete(id),
        () => client.files.upload(id, new Blob(['a']), { purpose: 'document' }),
        () => client.files.content('fil_x'),
        () => client.events.page(),
      ]) {
        assertSilent(
          await act().then(
            () => assert.fail('it succeeded'),
            (thrown: unknown) => thrown,
          ),
        );
      }
      assertSilent(client);
      assert.doesNotMatch(JSON.stringify(client), /gks_/);
    }
    for (const wrong of ['', 'secret\nkey', `${key}\nx`, key.slice(4)])
      assert.throws(
        () => createService({ url, key: wrong }),
        (error: unknown) => {
          assertSilent(error);
          return error instanceof TypeError && (wrong === '' || !error.message.includes(wrong));
        },
      );
    assert.ok(createService({ url, key: `${key}\n` }), 'a key that was read from a file may end in a line break');
  });

  it('the client of a back end refuses to run in a browser, and without a url', () => {
    Object.assign(globalThis, { window: globalThis });
    try {
      assert.throws(() => createService({ url, key }), /must not run in a browser/);
    } finally {
      Reflect.deleteProperty(globalThis, 'window');
    }
    for (const url of [undefined, '', 'id.example.com', 'localhost:8080'])
      assert.throws(() => createService({ url, key }), /needs the url of the service: https/);
    assert.throws(() => createService({ url: 'http://localhost:8080', key: undefined }), /needs a service key/);
  });

  it('the client of a back end does not follow a redirect with its key', async () => {
    const service = stage(envelope(302, {}, { location: `${url}/elsewhere` }));
    await assert.rejects(service.users.delete(id), { code: 'NETWORK' });
    assert.equal(seen.length, 1);
  });

  it('an upload does not follow a redirect: the file of a user goes to the service and to nobody else', async () => {
    const elsewhere = createServer((request, response) => {
      seen.push(request);
      succeed({ id: 'x' })(request, response);
    });
    const port = await freePort();
    await new Promise<void>((done) => elsewhere.listen(port, '127.0.0.1', done));
    try {
      const service = stage(envelope(307, {}, { location: `http://127.0.0.1:${port}/` }));
      const upload = service.files.upload(id, new Blob(['secret']), { purpose: 'document' });
      await assert.rejects(upload, { code: 'NETWORK' });
      assert.ok(seen.every(({ url }) => url?.startsWith('/api/service/files?')));
      const content = await service.files.content(id);
      assert.deepEqual([content.status, seen.at(-1)?.url, seen.at(-1)?.headers.authorization], [200, '/', undefined]);
    } finally {
      elsewhere.close();
    }
  });

  it('an id never leads to another path, whatever it is', async () => {
    const service = stage(fail(404, 'NOT_FOUND'));
    for (const text of ['..', '.', '../x', '%2e%2e', '', 'a/b?c#d']) {
      seen = [];
      await assert.rejects(service.users.block(text), { code: 'NOT_FOUND' });
      assert.match(seen[0]?.url ?? '', /^\/api\/service\/users\/[^/?#]*\/block$/, text);
    }
  });
});

function assertSilent(value: unknown): void {
  for (const text of [inspect(value, { depth: 9, showHidden: true }), String(value), JSON.stringify(value) ?? ''])
    assert.ok(!text.includes(key) && !text.includes('sssss'), 'the key leaks');
}
