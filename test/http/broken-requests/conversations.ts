// Broken requests: sequences on a connection that go wrong in timing or order rather than in content.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnvelope } from '../../helpers/requests/api.ts';
import { checkRefusal, request, sendRaw } from '../../helpers/requests/raw-request.ts';
import { createTestClock, type Gatehouse, isolatedEnv, startGatehouse } from '../../helpers/services/gatehouse.ts';
import type { Stage } from './stage.ts';

const json = 'Content-Type: application/json';
const login = 'POST /api/auth/phone/login';

/** A head whose body follows later. */
const head = (line: string, length: number, headers: readonly string[]) =>
  [`${line} HTTP/1.1`, 'Host: localhost', `Content-Length: ${length}`, ...headers, '\r\n'].join('\r\n');

export const conversationKinds = 27;

export function testConversations(stage: Stage): void {
  const send = (bytes: string | Buffer, options = {}) => sendRaw(stage.gatehouse.url, bytes, options);

  describe('Expect: 100-continue', () => {
    const expect = 'Expect: 100-continue';
    const refusals = [
      ['a missing token', 'POST /api/auth/logout', 20, [json], 'ACCESS_TOKEN_MISSING'],
      ['a bad token', 'POST /api/auth/logout', 20, [json, 'Authorization: Bearer x'], 'ACCESS_TOKEN_INVALID'],
      ['a wrong type', login, 20, ['Content-Type: text/plain'], 'MEDIA_TYPE_UNSUPPORTED'],
      ['an encoding', login, 20, [json, 'Content-Encoding: gzip'], 'MEDIA_TYPE_UNSUPPORTED'],
      ['a length over the limit', login, 16_385, [json], 'BODY_TOO_LARGE'],
      ['an unknown path', 'POST /nowhere', 20, [json], 'NOT_FOUND'],
      ['a wrong method', 'PUT /api/auth/phone/login', 20, [json], 'METHOD_NOT_ALLOWED'],
    ] as const;
    for (const [what, line, length, headers, code] of refusals) {
      it(`a request with ${what} and Expect: 100-continue is refused before its body`, async () => {
        const [reply] = await send(head(line, length, [...headers, expect]));
        checkRefusal(reply, code);
        assert.deepEqual(reply?.interim, []);
      });
    }

    it('Expect: 100-continue gets a 100, and the body is read, if nothing else is wrong', async () => {
      const token = `Authorization: Bearer ${stage.good.accessToken}`;
      const body = '{"scope":"others"}';
      const [reply] = await send(head('POST /api/auth/logout', body.length, [json, token, expect]), {
        goOn: async (socket: NodeJS.WritableStream) => {
          await once(socket, 'data');
          socket.write(body);
        },
      });
      assert.deepEqual([reply?.interim, reply?.status], [[100], 200]);
      assert.equal(readEnvelope(reply?.body ?? '').success, true);
    });

    it('an unknown expectation is ignored', async () => {
      const [reply] = await send(request(login, [json, 'Expect: the unexpected'], '{}'));
      checkRefusal(reply, 'REQUEST_INVALID');
      assert.deepEqual(reply?.interim, []);
    });
  });

  describe('order', () => {
    it('pipelined requests are answered in order, refusals included', async () => {
      const lines = ['GET /api/inbox', 'GET /livez', 'GET /nowhere', 'GET /readyz', 'GET /api/auth/me', 'POST /livez'];
      const many = Array.from({ length: 30 }, (_, index) => `${lines[index % lines.length]}`);
      const bytes = Buffer.concat(many.map((line, index) => request(line, [`X-Request-Id: request-${index}`])));
      const replies = await send(bytes, { replies: 30 });
      assert.deepEqual(
        replies.map(({ headers }) => headers['x-request-id']),
        many.map((_, index) => `request-${index}`),
      );
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200, 404, 401, 405]));
    });

    for (const [what, last, status] of [
      ['CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\nX-Request-Id: tunnel-7\r\n\r\n', 405],
      ['CONNECT with a body', 'CONNECT /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab', 405],
      ['an upgrade', 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', 200],
    ] as const) {
      it(`${what} does not take the place of an earlier answer that takes longer`, async () => {
        const slow = request('GET /api/inbox?to=nobody&wait=1', ['X-Request-Id: slow-request']);
        const large = request('GET /docs/search.json', ['X-Request-Id: large-request']);
        const replies = await send(Buffer.concat([slow, large, Buffer.from(last)]), { replies: 3 });
        assert.deepEqual(
          replies.map((reply) => reply.status),
          [200, 200, status],
        );
        assert.deepEqual(
          replies.slice(0, 2).map(({ headers }) => headers['x-request-id']),
          ['slow-request', 'large-request'],
        );
      });
    }

    it('nothing follows the answer to CONNECT', async () => {
      const bytes = Buffer.concat([request('CONNECT a.example:443'), request('GET /livez')]);
      const replies = await send(bytes, { replies: 2 });
      assert.deepEqual(
        replies.map(({ status, headers }) => [status, headers.connection]),
        [[405, 'close']],
      );
    });

    it('nothing follows the answer to a request for an upgrade, because its bytes may be lost', async () => {
      const upgrade = request('GET /livez', ['Connection: Upgrade', 'Upgrade: h2c']);
      const inner = 'GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n';
      const followers: readonly [Buffer, string][] = [
        [request('GET /livez'), ''],
        [Buffer.from(head(login, inner.length, [json])), inner],
      ];
      for (const [follower, later] of followers) {
        const goOn = async (socket: NodeJS.WritableStream) => {
          await once(socket, 'data');
          socket.write(later);
        };
        const replies = await send(Buffer.concat([upgrade, follower]), { replies: 2, goOn });
        assert.deepEqual(
          replies.map(({ status, headers }) => [status, headers.connection]),
          [[200, 'close']],
        );
      }
    });

    it('a client that leaves during the answer before its CONNECT leaves nothing behind', async () => {
      const { hostname, port } = new URL(stage.gatehouse.url);
      const handedOver = once(stage.gatehouse.service.server.server, 'connect');
      const socket = connect(Number(port), hostname);
      socket.write(Buffer.concat([request('GET /api/inbox?to=nobody&wait=20'), request('CONNECT a.example:443')]));
      const [, served] = await handedOver;
      // The reset is an error of the socket too, which the service handles.
      const closed = new Promise((resolve) => served.once('close', resolve));
      socket.resetAndDestroy();
      await closed;
    });

    it('the connection stays open for the next request after a refusal', async () => {
      const refused = request('DELETE /api/auth/me', [json], '{"a":1}');
      const replies = await send(Buffer.concat([refused, request('GET /livez')]), { replies: 2 });
      assert.deepEqual(
        replies.map(({ status }) => status),
        [401, 200],
      );
    });

    it('a request whose client has closed its half of the connection is answered', async () => {
      const [reply] = await send(request('GET /livez'), { halfClose: true });
      assert.equal(reply?.status, 200);
      const [refusal] = await send(request(login, [json], '{}'), { halfClose: true });
      checkRefusal(refusal, 'REQUEST_INVALID');
    });

    it('a connection that only opens and closes gets no answer', async () => {
      assert.deepEqual(await send('', { halfClose: true }), []);
    });

    it('an upgrade to a WebSocket is ignored', async () => {
      const [reply] = await send(request('GET /livez', ['Connection: Upgrade', 'Upgrade: websocket']));
      assert.deepEqual([reply?.status, reply?.interim, reply?.body], [200, [], 'ok\n']);
    });

    it('empty lines before a request are ignored', async () => {
      const [reply] = await send(Buffer.concat([Buffer.from('\r\n\r\n'), request('GET /livez')]));
      assert.equal(reply?.status, 200);
    });

    it('a hundred broken connections at once are all answered', async () => {
      const all = await Promise.all(Array.from({ length: 100 }, () => send('NONSENSE\r\n\r\n')));
      for (const [reply] of all) checkRefusal(reply, 'REQUEST_INVALID');
    });

    it('the service survives connections that are reset in the middle of head and body', async () => {
      const { hostname, port } = new URL(stage.gatehouse.url);
      for (const bytes of ['', 'GET /liv', head(login, 100, [json]), `${head(login, 100, [json])}{"phone"`]) {
        const socket = connect(Number(port), hostname);
        await once(socket, 'connect');
        socket.write(bytes);
        await sleep(20);
        socket.resetAndDestroy();
      }
      assert.equal((await fetch(`${stage.gatehouse.url}/livez`)).status, 200);
    });
  });

  describe('slowness', { concurrency: true }, () => {
    const milliseconds = 300;
    const server = { headersMilliseconds: milliseconds, bodyMilliseconds: milliseconds, checkMilliseconds: 20 };
    let hasty: Gatehouse;
    let dispose: () => Promise<void>;
    before(async () => {
      const isolated = await isolatedEnv('sqlite', {}, 'migrated');
      ({ dispose } = isolated);
      hasty = await startGatehouse(isolated.env, createTestClock(), { times: { server } });
    });
    after(async () => {
      await hasty.stop();
      await dispose();
    });
    const drip = async (socket: NodeJS.WritableStream, signal: AbortSignal) => {
      while (!signal.aborted) {
        await sleep(milliseconds / 10, undefined, { signal });
        socket.write('a');
      }
    };

    for (const [what, bytes, goOn] of [
      ['a silent connection', '', undefined],
      ['a head that stops', 'GET /livez HTTP/1.1\r\nHost: localhost\r\n', undefined],
      ['a head that drips', 'GET /livez HTTP/1.1\r\nHost: localhost\r\nX-A: ', drip],
      ['a body that stops', `${head(login, 100, [json])}{"phone"`, undefined],
      ['a body that drips', `${head(login, 1000, [json])}{"phone":"`, drip],
    ] as const) {
      it(`${what} times out, and not before its time`, async () => {
        const started = performance.now();
        const [reply] = await sendRaw(hasty.url, bytes, goOn === undefined ? {} : { goOn });
        checkRefusal(reply, 'REQUEST_TIMEOUT');
        assert.equal(reply?.headers.connection, 'close');
        assert.ok(performance.now() - started > milliseconds * 0.9);
      });
    }
  });
}
