// Broken requests: every method on every path of the interface that does not accept it.
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { it } from 'node:test';
import { fetchTableOperations } from '../openapi-document.ts';
import { checkRefusal, request, sendRaw } from '../raw-request.ts';
import type { Stage } from './stage.ts';

/** Known to the parser of Node because of other protocols. */
const foreign = ['DESCRIBE', 'ANNOUNCE', 'SETUP', 'PLAY', 'PAUSE', 'TEARDOWN', 'GET_PARAMETER', 'RECORD', 'FLUSH'];

/** Refused by the parser itself. */
const unknown = ['BREW', 'GETT', 'get', 'Post'];

const routed = METHODS.filter((method) => !unknown.includes(method));

const servicePaths = [
  '/livez',
  '/readyz',
  '/.well-known/jwks.json',
  '/openapi.json',
  '/docs',
  '/docs/errors',
  '/api/inbox',
];

export const wrongMethodKinds = routed.length + foreign.length + unknown.length;

export function testWrongMethods(stage: Stage): void {
  for (const method of routed) {
    it(`${method} is refused on every path that does not allow it, and Allow lists the methods that it does`, async () => {
      const { url, app } = stage.gatehouse;
      const patterns = await allPaths(url);
      for (const pattern of patterns) {
        const path = pattern.replaceAll(/:\w+/g, 'x');
        const here = patterns.filter((other) => new RegExp(`^${other.replaceAll(/:\w+/g, '[^/]+')}$`).test(path));
        const isRouted = (name: string) => here.some((at) => app.server.hasRoute(name, at));
        const allow = METHODS.filter(isRouted);
        if (allow.includes(method)) continue;
        const isHead = method === 'HEAD';
        const [reply] = await sendRaw(url, request(`${method} ${path}`), { isHead });
        if (isHead) assert.equal(reply?.status, 405);
        else checkRefusal(reply, 'METHOD_NOT_ALLOWED');
        assert.equal(reply?.headers.allow, allow.sort().join(', '), path);
      }
    });

    it(`${method} is refused on an unknown path`, async () => {
      const isHead = method === 'HEAD';
      const [reply] = await sendRaw(stage.gatehouse.url, request(`${method} /nowhere`), { isHead });
      if (isHead) assert.deepEqual([reply?.status, reply?.body], [404, '']);
      else checkRefusal(reply, method === 'CONNECT' ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND');
    });
  }

  for (const method of [...foreign, ...unknown]) {
    it(`${method} is refused on any path`, async () => {
      for (const path of ['/livez', '/api/auth/me', '/nowhere']) {
        const [reply] = await sendRaw(stage.gatehouse.url, request(`${method} ${path}`));
        checkRefusal(reply, 'REQUEST_INVALID');
      }
    });
  }

  it('Allow is correct for an encoded and an absolute path', async () => {
    for (const target of ['/%6civez', 'http://localhost/livez', '/livez?x', '/livez?%zz']) {
      const [reply] = await sendRaw(stage.gatehouse.url, request(`POST ${target}`));
      checkRefusal(reply, 'METHOD_NOT_ALLOWED');
      assert.equal(reply?.headers.allow, 'GET, HEAD', target);
    }
  });
}

/** Paths of the route table as the service lists them, and those beside it. */
async function allPaths(url: string): Promise<string[]> {
  const paths = await fetchTableOperations<unknown>(url);
  return [...Object.keys(paths).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1')), ...servicePaths];
}
