// CORS: exact origins with credentials, preflights with the methods of the path, and no headers for anybody else.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCors } from '../../../src/http/server/cors.ts';
import type { HttpReply } from '../../../src/http/server/reply.ts';
import type { HttpRequest } from '../../../src/http/server/request.ts';
import { readTarget } from '../../../src/http/server/target.ts';

const app = 'https://app.example.com';
const requestHeaders =
  'authorization, content-type, captcha-token, rt, idempotency-key, repr-digest, content-digest, x-file-purpose, content-disposition, accept-language, ask-token, device-token, upload-complete, upload-length, upload-offset, upload-draft-interop-version';
const exposedHeaders =
  'retry-after, ratelimit, ratelimit-policy, x-request-id, link, location, content-disposition, etag, repr-digest, ask-token, device-token, proof-ticket, upload-offset, upload-complete, upload-length, upload-limit';

function ask(
  method: string,
  url: string,
  headers: Record<string, string>,
  origins: readonly string[] = [app, 'http://localhost:5173'],
) {
  const sent: Record<string, unknown> = {};
  const reply = {
    header: (name: string, value: string) => {
      sent[name] = value;
      return reply;
    },
    code: (status: number) => {
      sent.status = status;
      return reply;
    },
  };
  const asked: string[] = [];
  const methodsAt = ({ target: { path } }: HttpRequest) => {
    asked.push(path);
    return path === '/known' ? ['GET', 'POST'] : [];
  };
  const request = { method, target: readTarget(url), headers } as unknown as HttpRequest;
  const isAnswered = createCors({ origins }, methodsAt)(request, reply as unknown as HttpReply);
  return { isAnswered, sent, asked };
}

const allowed = { vary: 'Origin', 'access-control-allow-origin': app, 'access-control-allow-credentials': 'true' };
const preflight = { origin: app, 'access-control-request-method': 'GET' };

describe('CORS of an answer', () => {
  it('CORS gives a configured origin the answer and its headers', () => {
    const { isAnswered, sent } = ask('GET', '/known', { origin: app });
    assert.deepEqual([isAnswered, sent], [false, { ...allowed, 'access-control-expose-headers': exposedHeaders }]);
  });

  for (const origin of [
    'null',
    '',
    'https://evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://app.example.com/',
    'https://app.example.com.evil.example',
    'https://xapp.example.com',
    'HTTPS://APP.EXAMPLE.COM',
    'https://app.example.com, https://evil.example',
    '*',
  ]) {
    it(`CORS gives the origin ${JSON.stringify(origin)} nothing but Vary`, () => {
      for (const headers of [{ origin }, { ...preflight, origin }]) {
        const { isAnswered, sent, asked } = ask('OPTIONS', '/known', headers);
        assert.deepEqual([isAnswered, sent, asked], [false, { vary: 'Origin' }, []]);
      }
    });
  }

  it('CORS gives a request without an origin nothing but Vary', () => {
    assert.deepEqual(ask('GET', '/known', {}).sent, { vary: 'Origin' });
  });

  it('without configured origins there is no CORS header at all', () => {
    assert.deepEqual(ask('OPTIONS', '/known', preflight, []), { isAnswered: false, sent: {}, asked: [] });
  });
});

describe('a CORS preflight', () => {
  for (const url of ['/known', '/known?a=b', 'https://id.example/known']) {
    it(`a preflight of ${url} is answered with the methods of its path`, () => {
      const { isAnswered, sent, asked } = ask('OPTIONS', url, preflight);
      assert.deepEqual([isAnswered, asked], [true, ['/known']]);
      assert.deepEqual(sent, {
        ...allowed,
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': requestHeaders,
        'access-control-max-age': '600',
        status: 204,
      });
    });
  }

  it('a preflight of an unknown path is left to the router', () => {
    const { isAnswered, sent } = ask('OPTIONS', '/kno%77n', preflight);
    assert.deepEqual([isAnswered, sent], [false, allowed]);
  });

  it('an OPTIONS without a wanted method, and another method with one, are no preflights', () => {
    for (const { isAnswered, sent } of [ask('OPTIONS', '/known', { origin: app }), ask('GET', '/known', preflight)])
      assert.deepEqual([isAnswered, sent], [false, { ...allowed, 'access-control-expose-headers': exposedHeaders }]);
  });
});
