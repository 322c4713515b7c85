// Broken requests: every method on every path of the interface that does not accept it.
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { it } from 'node:test';
import { checkRefusal, request, sendRaw } from '../../helpers/requests/raw-request.ts';
import { fetchTableOperations } from '../../helpers/services/openapi-document.ts';
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
      const { url, service } = stage.gatehouse;
      const patterns = await allPaths(url);
      for (const pattern of patterns) {
        const path = pattern.replaceAll(/:\w+/g, 'x');
        const here = patterns.filter((other) => isAt(other, path));
        const isRouted = (name: string) => here.some((at) => service.server.hasRoute(name, at));
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

  it('no path of the interface is found if one of its letters is percent-encoded, in an absolute URL too', async () => {
    const { url } = stage.gatehouse;
    const patterns = [...(await allPaths(url)), '/oauth/token', '/oauth/authorize', '/account'];
    for (const start of ['auth', 'file', 'admin', 'service'].map((room) => `/api/${room}/`))
      assert.ok(
        patterns.some((path) => path.startsWith(start)),
        start,
      );
    for (const path of patterns.map((pattern) => pattern.replaceAll(/:\w+/g, '1'))) {
      for (const spelled of encodeFirstLetters(path)) {
        // The segment is an id there.
        if (patterns.some((pattern) => isAt(pattern, spelled))) continue;
        for (const target of [spelled, `http://localhost${spelled}`]) {
          const [reply] = await sendRaw(url, request(`GET ${target}`));
          assert.equal(reply?.status, 404, target);
        }
      }
    }
  });

  it('Allow is correct for an absolute path and with a query', async () => {
    for (const target of ['http://localhost/livez', '/livez?x', '/livez?%zz']) {
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

function isAt(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
}

/** The path once for each segment, with its first letter percent-encoded. */
function encodeFirstLetters(path: string): string[] {
  return [...path.matchAll(/(?<=\/\.?)[a-z]/g)].map(
    ({ 0: letter, index }) => `${path.slice(0, index)}%${letter.charCodeAt(0).toString(16)}${path.slice(index + 1)}`,
  );
}
