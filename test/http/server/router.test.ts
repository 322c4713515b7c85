// Which route a request has, the methods of a path, whether it is limited, and whether its id may be any text.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RouteRules } from '../../../src/http/server/request.ts';
import { createRouter } from '../../../src/http/server/router.ts';
import { readTarget } from '../../../src/http/server/target.ts';

function routerOf() {
  const router = createRouter();
  const add = (methods: string, path: string, rules: RouteRules = {}) => {
    for (const method of methods.split(' ')) router.add({ method, path, rules, handle: () => undefined });
  };
  add('GET', '/livez', { isUnlimited: true });
  add('GET HEAD', '/api/file');
  add('POST', '/api/file');
  add('GET', '/api/file/:id', { takesAnyId: true });
  add('DELETE', '/api/file/:id', { takesAnyId: false, isUnlimited: false });
  add('PUT', '/api/file/list');
  add('GET', '/a.b+c');
  add('GET', '/x.y/:name');
  add('GET', '/u/:user/files/:id');
  add('GET', '/u/me/files/:id');
  add('GET', '/u/:user/files/last');
  return router;
}

describe('the route of a request', () => {
  for (const [asked, path, params] of [
    ['GET /livez', '/livez', {}],
    ['GET /livez?a=b', '/livez', {}],
    ['GET /%6civez', undefined],
    ['GET /%6Civez', undefined],
    ['GET /livez#a', undefined],
    ['GET /livez;a=b', undefined],
    ['GET /./livez', undefined],
    ['GET /%2e/livez', undefined],
    ['GET /LIVEZ', undefined],
    ['GET \\livez', undefined],
    ['GET http://host/%6civez', undefined],
    ['GET http://host/livez', '/livez', {}],
    ['POST /livez', undefined],
    ['GET /livez/', undefined],
    ['GET //livez', undefined],
    ['GET /api%2Ffile', undefined],
    ['HEAD /api/file', '/api/file', {}],
    ['GET /api/file/1', '/api/file/:id', { id: '1' }],
    ['GET /api/file/list', '/api/file/:id', { id: 'list' }],
    ['PUT /api/file/list', '/api/file/list', {}],
    ['GET /api/file/', '/api/file/:id', { id: '' }],
    ['GET /api/file/a%2Fb%20c%C3%A9', '/api/file/:id', { id: 'a%2Fb%20c%C3%A9' }],
    ['GET /api/file/%31', '/api/file/:id', { id: '%31' }],
    ['GET /api/file/%zz', '/api/file/:id', { id: '%zz' }],
    ['GET /api/%66ile/1', undefined],
    ['GET /api/file/1/2', undefined],
    ['GET /api/file/__proto__', '/api/file/:id', { id: '__proto__' }],
    ['GET /u/1/files/2', '/u/:user/files/:id', { user: '1', id: '2' }],
    ['GET /u/me/files/2', '/u/me/files/:id', { id: '2' }],
    ['GET /u/me/files/last', '/u/me/files/:id', { id: 'last' }],
    ['GET /u/1/files/last', '/u/:user/files/last', { user: '1' }],
    ['GET *', undefined],
  ] as const) {
    it(`${asked} has ${path === undefined ? 'no route' : `the route ${path} with ${JSON.stringify(params)}`}`, () => {
      const [method = '', url = ''] = asked.split(' ');
      const found = routerOf().find(method, readTarget(url));
      assert.equal(found?.route.path, path);
      if (found !== undefined) assert.deepEqual({ ...found.params }, params);
    });
  }

  it('a route is known by its pattern and method', () => {
    const { has } = routerOf();
    const asked = [
      ['GET', '/api/file/:id'],
      ['PUT', '/api/file/:id'],
      ['POST', '/api/file'],
      ['GET', '/api/file/1'],
    ];
    assert.deepEqual(
      asked.map(([method = '', pattern = '']) => has(method, pattern)),
      [true, false, true, false],
    );
  });
});

describe('the methods of a path', () => {
  for (const [path, methods] of [
    ['/livez', ['GET']],
    ['/livez/', []],
    ['/LIVEZ', []],
    ['/api/file', ['GET', 'HEAD', 'POST']],
    ['/api/file/1', ['DELETE', 'GET']],
    ['/api/file/list', ['DELETE', 'GET', 'PUT']],
    ['/api/file/', []],
    ['/api/file/1/2', []],
    ['/x/api/file/1', []],
    ['/a.b+c', ['GET']],
    ['/axbbc', []],
    ['/x.y/z', ['GET']],
    ['/xzy/z', []],
    ['/x.y/z\n', ['GET']],
    ['/x.y/z/q', []],
    ['', []],
    ['/', []],
  ] as const) {
    it(`the methods of ${JSON.stringify(path)} are ${methods.join(', ') || 'none'}`, () => {
      assert.deepEqual(routerOf().methodsAt(path), methods);
    });
  }

  it('only the whole URL of a probe is unlimited', () => {
    const urls = ['/livez', '/livez?a', '/api/file', '/api/file/1'];
    assert.deepEqual(urls.map(routerOf().isUnlimited), [true, false, false, false]);
  });

  it('an id may be any text under the path of its route', () => {
    const urls = ['/api/file/%', '/api/file/', '/api/file', '/x.y/%', '/livez'];
    assert.deepEqual(urls.map(routerOf().takesAnyId), [true, true, false, false, false]);
  });
});
