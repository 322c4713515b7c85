// The files of the sign-in element, as a page of another origin asks for them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { textNames } from '../../../client/src/element/element-facts.ts';
import { languages } from '../../../src/kernel/text/language.ts';
import { loadPages } from '../../../src/service/load-pages.ts';
import { setStage } from '../../helpers/services/stage.ts';

const origin = 'https://shop.example';
const texts = '/gatehouse-sign-in/texts.json';

describe('the files of the sign-in element', () => {
  const stage = setStage('sqlite');
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${stage.url}${path}`, { headers: { origin, ...headers } });

  for (const [path, type] of [
    ['/gatehouse-sign-in.js', 'text/javascript; charset=utf-8'],
    ['/captcha-worker.js', 'text/javascript; charset=utf-8'],
    [texts, 'application/json; charset=utf-8'],
  ] as const)
    it(`${path} may be loaded by a page of any origin, and is not sent twice`, async () => {
      const { status, headers } = await ask(path);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), type);
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.equal(headers.get('access-control-allow-credentials'), null);
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
      assert.equal(headers.get('cache-control'), 'public, max-age=600');
      assert.equal(headers.get('set-cookie'), null);
      const again = await ask(path, { 'if-none-match': headers.get('etag') ?? assert.fail() });
      assert.equal(again.status, 304);
      assert.equal(await again.text(), '');
    });

  it('the script of the element has at most 25 KB compressed, including the client, and names no other host', async () => {
    const { element } = await loadPages();
    const { gzip } = element.files.find(({ path }) => path === '/gatehouse-sign-in.js') ?? assert.fail();
    const bytes = Buffer.from(gzip, 'base64');
    assert.ok(bytes.length <= 25 * 1024, `${bytes.length} bytes`);
    const text = gunzipSync(bytes).toString();
    assert.deepEqual(text.match(/https?:\/\/[\w.-]+/g)?.filter((url) => url !== 'http://www.w3.org') ?? [], []);
  });

  it('the texts of the element are complete in every language, and the service chooses the language', async () => {
    for (const language of languages) {
      const response = await ask(texts, { 'accept-language': `xx, ${language};q=0.5` });
      assert.equal(response.headers.get('vary'), 'Accept-Language');
      const facts = (await response.json()) as Record<string, unknown> & { texts: Record<string, string> };
      assert.equal(facts.language, language);
      assert.equal(facts.direction, language === ('ar' as string) ? 'rtl' : 'ltr');
      assert.deepEqual(Object.keys(facts.texts).sort(), [...textNames].sort());
      assert.ok(Object.values(facts.texts).every((text) => text !== ''));
      assert.match(String(facts.countries), /(?:^|;)DE49 0 \d+;/);
    }
  });
});
