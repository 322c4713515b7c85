// What the server knows about a path before routing: its methods, whether it is limited, and whether its id may be any text.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPathMap, pathOf } from '../../../src/http/server/path-map.ts';

function mapOf() {
  const map = createPathMap();
  map.add('GET', '/livez', { isUnlimited: true });
  map.add(['GET', 'HEAD'], '/api/file', {});
  map.add('POST', '/api/file');
  map.add('GET', '/api/file/:id', { takesAnyId: true });
  map.add('DELETE', '/api/file/:id', { takesAnyId: false, isUnlimited: false });
  map.add('PUT', '/api/file/list');
  map.add('GET', '/docs/*');
  map.add('GET', '/a.b+c');
  map.add('GET', '/x.y/:name');
  return map;
}

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
    ['/docs/', ['GET']],
    ['/docs/a/b', ['GET']],
    ['/docs', []],
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
      assert.deepEqual(mapOf().methodsAt(path), methods);
    });
  }

  it('only the whole URL of a probe is unlimited', () => {
    const map = mapOf();
    const urls = ['/livez', '/livez?a', '/api/file', '/api/file/1'];
    assert.deepEqual(urls.map(map.isUnlimited), [true, false, false, false]);
  });

  it('an id may be any text under the path of its route', () => {
    const map = mapOf();
    const urls = ['/api/file/%', '/api/file/', '/api/file', '/x.y/%', '/livez'];
    assert.deepEqual(urls.map(map.takesAnyId), [true, true, false, false, false]);
  });
});

describe('the path of a URL', () => {
  for (const [url, path] of [
    ['/a/b', '/a/b'],
    ['/a?b=/c#d', '/a'],
    ['/a#b?c', '/a'],
    ['?a', ''],
    ['', ''],
    ['http://host/a?b', '/a'],
    ['HTTPS://host:1/a', '/a'],
    ['http://host', ''],
    ['http://host?a', ''],
    ['ftp://host/a', 'ftp://host/a'],
    ['/http://host/a', '/http://host/a'],
    ['/%61%20b', '/a b'],
    ['/a%2Fb%3Fc', '/a%2Fb%3Fc'],
    ['/%E4%B8%96', '/世'],
    ['/%', '/%'],
    ['/%ff%61', '/%ff%61'],
    ['/a?%', '/a'],
  ] as const) {
    it(`the path of ${JSON.stringify(url)} is ${JSON.stringify(path)}`, () => assert.equal(pathOf(url), path));
  }
});
