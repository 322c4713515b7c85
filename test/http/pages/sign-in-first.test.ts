// Proves that the way to the sign-in page exists for addresses of files only, and that none of them can lead to another host.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signInFirst } from '../../../src/http/pages/sign-in-first.ts';
import type { HttpRequest } from '../../../src/http/server/request.ts';
import { readTarget } from '../../../src/http/server/target.ts';
import { nextPage } from '../../../web/sign-in/next-page.ts';

const ask = (url: string, method = 'GET', leadsToSignIn = true) => {
  const target = readTarget(url);
  const params = { id: target.path.slice('/file/'.length) };
  return signInFirst({ target, params, method, route: { rules: { leadsToSignIn } } } as unknown as HttpRequest);
};
const origin = 'https://id.example';

describe('the way to the sign-in page', () => {
  for (const [url, next] of [
    ['/file/fil_abc-D', '/file/fil_abc-D'],
    ['/file/x?download=1', '/file/x?download=1'],
    ['/file/x?variant=thumb&download=1&redirect=1&evil=//x', '/file/x?download=1&variant=thumb'],
    ['/file/x?variant=%0d%0a', '/file/x'],
    ['/file/x?next=//evil.example', '/file/x'],
  ] as const) {
    it(`${url} leads to the sign-in page, and from there to ${next}`, () => {
      const place = ask(url) ?? assert.fail();
      assert.ok(place.startsWith('/?next=/file/'), place);
      assert.equal(nextPage(new URL(place, origin).search, origin), `${origin}${next}`);
    });
  }

  it('the address of a file without a query is not changed', () => assert.equal(ask('/file/x'), '/?next=/file/x'));

  it('an id that no file has leads to the sign-in page as well, and no part of it is repeated', () => {
    const hostile = [
      '/file/%ZZ',
      '/file/%66',
      '/file//evil.example',
      '/file/\\evil.example',
      '/file/%2f%2fevil.example',
      '/file/a%0d%0aSet-Cookie:x',
      '/file/a\tb',
      '/file/..',
      '/file/',
      `/file/${'x'.repeat(65)}`,
      '/file/x#y',
    ];
    for (const url of hostile) assert.equal(ask(url), '/?next=/file/unknown', url);
  });

  it('only the address of a file that is opened leads to the sign-in page', () => {
    assert.equal(ask('/file/x', 'POST'), undefined);
    assert.equal(ask('/file/x', 'GET', false), undefined);
    assert.equal(ask('/file/x', 'HEAD'), '/?next=/file/x');
  });
});
