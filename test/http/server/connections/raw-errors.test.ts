// Answers to what Node's parser refuses: a whole envelope on the socket, or nothing where nobody can read it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answerParserError } from '../../../../src/http/server/connections/raw-errors.ts';
import { createSecurityHeaders } from '../../../../src/http/server/security-headers.ts';
import { beginUpload, isUploading } from '../../../../src/http/server/uploads-under-way.ts';
import { checkRefusal, request, sendRaw } from '../../../helpers/requests/raw-request.ts';
import { serveRoutes } from '../../../helpers/services/serve-routes.ts';

const head = 'HTTP/1.1\r\nHost: a\r\n';
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;

function answer(code: string, { writable = true, isUpload = false } = {}) {
  const seen: string[] = [];
  const socket = {
    writable,
    on: () => socket,
    end: (text: string) => seen.push(text),
    resume: () => seen.push('resume'),
    destroy: () => seen.push('destroy'),
  };
  if (isUpload) beginUpload(socket as unknown as Duplex);
  assert.equal(isUploading(socket as unknown as Duplex), isUpload);
  answerParserError(
    Object.assign(new Error('parser'), { code }),
    socket as unknown as Duplex,
    createSecurityHeaders(false),
    'https://id.example',
  );
  return seen;
}

describe('an error of the parser', () => {
  for (const [code, isUpload, line, codeError] of [
    ['HPE_HEADER_OVERFLOW', false, 'HTTP/1.1 431 Request Header Fields Too Large', 'HEADERS_TOO_LARGE'],
    ['ERR_HTTP_REQUEST_TIMEOUT', false, 'HTTP/1.1 408 Request Timeout', 'REQUEST_TIMEOUT'],
    ['HPE_INVALID_METHOD', false, 'HTTP/1.1 400 Bad Request', 'REQUEST_INVALID'],
    ['HPE_INVALID_EOF_STATE', false, 'HTTP/1.1 400 Bad Request', 'REQUEST_INVALID'],
    ['HPE_INVALID_EOF_STATE', true, 'HTTP/1.1 400 Bad Request', 'FILE_INCOMPLETE'],
    ['HPE_INVALID_METHOD', true, 'HTTP/1.1 400 Bad Request', 'REQUEST_INVALID'],
  ] as const) {
    it(`${code} ${isUpload ? 'during an upload ' : ''}is answered with ${codeError}`, () => {
      const [text = '', ...rest] = answer(code, { isUpload });
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const [first, ...lines] = head.split('\r\n');
      const headers = Object.fromEntries(lines.map((each) => each.split(/: (.*)/).slice(0, 2)));
      assert.deepEqual([first, JSON.parse(body).codeError, rest], [line, codeError, ['resume']]);
      assert.equal(headers['content-length'], String(Buffer.byteLength(body)));
      assert.deepEqual([headers.connection, headers['x-content-type-options']], ['close', 'nosniff']);
      assert.equal(headers['content-type'], 'application/json; charset=utf-8');
      assert.match(headers['x-request-id'], /^[\da-f-]{36}$/);
      assert.ok(!Number.isNaN(Date.parse(headers.date)));
    });
  }

  it('a client whose address has characters that must be percent-encoded learns that it is the address', async (test) => {
    const served = await serveRoutes((routes) => routes.get('/a', (_, reply) => reply.send('a')));
    test.after(served.close);
    for (const target of ['/a?name=Grüße', '/a?name=my film', '/Grüße']) {
      const [reply] = await sendRaw(served.url, request(`GET ${target}`));
      assert.ok(checkRefusal(reply, 'REQUEST_INVALID').message.includes('url'), target);
    }
  });

  it('a connection that is gone, or cannot be written to, is only closed', () => {
    assert.deepEqual(answer('ECONNRESET'), ['destroy']);
    assert.deepEqual(answer('HPE_INVALID_METHOD', { writable: false }), ['destroy']);
  });
});

it('a client that resets its CONNECT does not end the process', async (test) => {
  const served = await serveRoutes((routes) => routes.get('/a', (_, reply) => reply.send('a')));
  test.after(served.close);
  for (let round = 0; round < 20; round++) {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('CONNECT /a HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  assert.equal((await served.ask('/a')).text, 'a');
});

describe('a request has one answer', () => {
  const serve = () =>
    serveRoutes((routes) => {
      routes.get('/fast', (_, reply) => reply.send('fast'));
      routes.get('/slow', async (_, reply) => {
        // The parser has read the whole packet before the next turn.
        await nextTurn();
        return reply.send('slow');
      });
    });

  for (const [what, text, statuses] of [
    ['a broken body behind a refusal', `POST /fast ${chunked}zz\r\n\r\n`, ['405']],
    ['garbage behind a request that is still being answered', `GET /slow ${head}\r\nnonsense\r\n\r\n`, ['200']],
    ['garbage behind an answer', `GET /fast ${head}\r\n`, ['200', '400']],
    ['garbage alone', '', ['400']],
    ['two requests and garbage', `GET /slow ${head}\r\nGET /fast ${head}\r\nnonsense\r\n\r\n`, ['200', '200']],
  ] as const) {
    it(`${what}: ${statuses.join(' and ')}`, async (test) => {
      const served = await serve();
      test.after(served.close);
      const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
      const closed = once(socket, 'close');
      let answers = '';
      socket.on('data', (bytes) => {
        answers += bytes.toString('latin1');
      });
      if (text !== '') socket.write(text);
      if (statuses.length === 2 && statuses[1] === '400') await once(socket, 'data');
      if (statuses.at(-1) === '400') socket.write('nonsense\r\n\r\n');
      await closed;
      assert.deepEqual(
        [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status),
        statuses,
      );
    });
  }
});
