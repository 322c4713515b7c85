// The pages of the reference: complete, escaped, and strict about what a browser may run.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { toSiteFile } from '../../scripts/site/site-file.ts';
import { renderSite } from '../../scripts/site/site-pages.ts';
import { failureReplies } from '../../src/http/interface/failure-replies.ts';
import { failuresOf } from '../../src/http/interface/possible-failures.ts';
import { defineRoute, type Route } from '../../src/http/interface/route.ts';
import type { RouteLine } from '../../src/http/interface/route-line.ts';
import { integer, object, oneOf, text } from '../../src/http/interface/schema.ts';
import { failureCodes } from '../../src/kernel/failure.ts';
import { loadDocs } from '../../src/service/load-pages.ts';
import { serveSite } from '../helpers/services/serve-site.ts';

const handle = async () => ({ data: null });

function fakeRoute(parts: Partial<Route>): Route {
  return { summary: 'A summary', success: 'ME', failures: [], handle, ...parts };
}

const hostile = `<img src=x onerror="alert(1)"> '&' </script><script>alert(2)</script>`;

const table: RouteLine[] = [
  {
    method: 'POST',
    path: '/api/auth/phone/send/otp',
    tag: 'auth',
    name: 'sendPhoneOtp',
    guards: ['captcha'],
    route: defineRoute({
      summary: 'Send a code',
      description: 'Sends it by SMS.',
      success: 'OTP_SENT',
      failures: ['PHONE_INVALID'],
      body: object({
        recipient: text({
          minLength: 1,
          maxLength: 64,
          description: 'Who gets it',
          examples: ["+1202'5550123"],
        }),
      }),
      handle,
    }),
  },
  {
    method: 'POST',
    path: '/api/auth/refresh-token',
    tag: 'auth',
    name: 'refreshTokenPair',
    guards: ['refresh-origin'],
    route: fakeRoute({ summary: 'Renew' }),
  },
  {
    method: 'POST',
    path: '/api/auth/logout',
    tag: 'auth',
    name: 'signOut',
    guards: ['access', 'origin'],
    route: fakeRoute({ body: object({}, { scope: oneOf(['local', 'global']) }), bodyOptional: true }),
  },
  {
    method: 'GET',
    path: '/api/auth/me',
    tag: 'auth',
    name: 'me',
    guards: ['access'],
    route: fakeRoute({
      data: object({ id: text({ format: 'uuid' }) }),
      query: object({ page: integer({ minimum: 1 }) }),
    }),
  },
  {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    tag: 'auth',
    name: 'endSession',
    guards: [],
    route: fakeRoute({ params: object({ id: text() }) }),
  },
  {
    method: 'PUT',
    path: '/api/hostile',
    tag: 'service',
    name: 'hostile',
    guards: [],
    route: fakeRoute({ summary: hostile, description: hostile, example: { text: hostile } }),
  },
  {
    method: 'GET',
    path: '/api/inbox',
    tag: 'service',
    name: 'inbox',
    guards: [],
    route: fakeRoute({ summary: 'Hidden one' }),
    isHidden: true,
  },
];

const built = await loadDocs();
const guides = { groups: [], pages: {}, sections: [] };
const rendered = [...renderSite({ table, plainLines: [], guides })].map(([url, text]) => toSiteFile(url, text));
const site = await serveSite({
  files: [...rendered, ...built.files.filter(({ name }) => /^docs\.(?:css|js)$/.test(name))],
  read: async (name) => {
    const content = rendered.find((file) => file.name === name)?.content;
    return content === undefined ? built.read(name) : Buffer.from(content);
  },
  brand: { name: 'Ann & <b>Bob</b>', icon: 'data:,', style: undefined },
});
after(site.close);
const fetchPage = async (url: string) => (await site.ask(url)).text;
/** What a reader sees of a page. */
const textOf = (page: string) =>
  page
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
const matches = (markup: string, pattern: RegExp) => [...markup.matchAll(pattern)].map(([, found = '']) => found);
const areas = ['/docs/api/auth', '/docs/api/service'];
const pages = ['/docs', '/docs/api', '/docs/api/schemas', '/docs/errors', ...areas];
const fetchAreas = async () => (await Promise.all(areas.map(fetchPage))).join('');

describe('the API reference', () => {
  it('the API reference shows every public endpoint with its method, and no hidden one', async () => {
    const page = await fetchAreas();
    for (const { method, path, isHidden } of table) {
      const form = `data-method="${method}" data-path="${path.replace(':id', '{id}')}"`;
      assert.equal(page.includes(form), isHidden !== true, form);
    }
    assert.equal(matches(page, /<article class="(endpoint)"/g).length, table.length - 1);
    assert.ok(!page.includes('Hidden one'));
  });

  it('the API reference shows what an endpoint requires, accepts, answers and fails with', async () => {
    const page = await fetchAreas();
    const [, section = ''] = page.split('<article class="endpoint" id="sendPhoneOtp"');
    const [article = ''] = section.split('</article>');
    for (const words of [
      'Send a code',
      'Sends it by SMS.',
      'header captcha-token',
      'recipient',
      'Who gets it',
      '1 to 64 characters',
      'required',
    ]) {
      assert.ok(article.includes(words), words);
    }
    assert.ok(article.includes('Your code is on its way.'));
    assert.deepEqual(
      matches(article, /href="\/docs\/errors#(\w+)"/g).toSorted(),
      failuresOf(table[0] ?? assert.fail('no route')).toSorted(),
    );
  });

  it('the API reference quotes curl commands correctly for a shell', async () => {
    const page = textOf(await fetchAreas());
    assert.ok(page.includes(`-d '{"recipient":"+1202'\\''5550123"}'`));
    assert.ok(page.includes('"$BASE/api/auth/sessions/$ID"'));
    assert.ok(page.includes('"$BASE/api/auth/me?page=1" \\\n  -H "Authorization: Bearer $JWT"'));
    assert.ok(page.includes('-H "RT: $RT"'));
  });

  it('the API reference shows each request in TypeScript and Python too', async () => {
    const page = textOf(await fetchAreas());
    assert.match(page, /await fetch\(`\$BASE\/api\/auth\/sessions\/\$\{id\}`, \{\n {2}method: "DELETE",\n\}\);/);
    assert.ok(page.includes('body: JSON.stringify({\n    "recipient": "+1202\'5550123"\n  }),'));
    assert.ok(page.includes('f"$BASE/api/auth/sessions/{id}",\n    method="DELETE",'));
    assert.ok(page.includes('headers={"Authorization": f"Bearer {JWT}"}'));
    assert.ok(page.includes('data=json.dumps({"recipient": "+1202\'5550123"}).encode()'));
  });

  it('the API reference has a field for each token, header and parameter that a request needs', async () => {
    const page = await fetchAreas();
    const fields = matches(page, /<input id="([^"]+)"/g);
    assert.deepEqual(
      fields.filter((id) => id !== 'search'),
      [
        'sendPhoneOtp-header-captcha-token',
        'refreshTokenPair-header-RT',
        'signOut-header-Authorization',
        'me-header-Authorization',
        'me-query-page',
        'endSession-path-id',
      ],
    );
  });

  it('the API reference shows the shape of data if a route has no example', async () => {
    assert.match(textOf(await fetchPage('/docs/api/auth')), /"id": "[0-9a-f]{8}-/);
  });
});

describe('the error catalogue', () => {
  it('the error catalogue has one block per code, with status, cause and cure', async () => {
    const page = await fetchPage('/docs/errors');
    const blocks = new Map(
      page
        .split('<article class="failure" id="')
        .slice(1)
        .map((block) => [block.slice(0, block.indexOf('"')), block]),
    );
    const always = failureCodes.filter((code) => failureReplies[code].onlyWith === undefined);
    assert.deepEqual([...blocks.keys()].toSorted(), always.toSorted());
    for (const code of always) {
      const { status, when, cure } = failureReplies[code];
      for (const words of [String(status), when, cure, `"codeError": "${code}"`]) {
        assert.ok(textOf(blocks.get(code) ?? '').includes(words), `${code}: ${words}`);
      }
    }
  });

  it('the error catalogue names the endpoints that answer a code', async () => {
    const page = await fetchPage('/docs/errors');
    const block = (code: string) => page.split(`id="${code}"`)[1]?.split('</article>')[0] ?? '';
    assert.deepEqual(matches(block('PHONE_INVALID'), /href="\/docs\/api\/auth#(\w+)"/g), ['sendPhoneOtp']);
    assert.ok(block('INTERNAL_ERROR').includes('Every endpoint.'));
    assert.ok(block('METHOD_NOT_ALLOWED').includes('Not tied to an endpoint.'));
  });
});

describe('every docs page', () => {
  it('every docs page forbids inline scripts and styles and has none', async () => {
    for (const url of pages) {
      const { headers, text: body } = await site.ask(url);
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /^default-src 'none';/);
      assert.ok(!policy.includes('unsafe'));
      const tags = matches(body, /(<[a-z][^>]*>)/gi).map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));
      assert.deepEqual(
        tags.filter((tag) => /\s(style|on\w+)\s*=|^<style/i.test(tag)),
        [],
      );
      assert.ok(!body.includes('javascript:'));
      assert.deepEqual(body.match(/<script[^>]*>[^<]*/g), ['<script type="module" src="/docs/docs.js">']);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(headers['cache-control'], 'no-cache');
    }
  });

  it('every docs page escapes hostile text', async () => {
    for (const url of pages) {
      const page = await fetchPage(url);
      assert.ok(!page.includes('<img') && !page.includes('<b>Bob') && !page.includes('alert(2)</script>'));
      assert.ok(page.includes('Ann &amp; &lt;b&gt;Bob&lt;/b&gt;'));
    }
    assert.ok(
      (await fetchPage('/docs/api/service')).includes('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &#39;&amp;&#39;'),
    );
  });

  it('every docs page has a label for every control, unique ids, and a target for every link', async () => {
    const bodies = new Map(await Promise.all(pages.map(async (url) => [url, await fetchPage(url)] as const)));
    const ids = new Map([...bodies].map(([url, body]) => [url, matches(body, /\sid="([^"]+)"/g)]));
    for (const [url, body] of bodies) {
      const own = ids.get(url) ?? [];
      assert.equal(new Set(own).size, own.length, url);
      const labelled = matches(body, /<label (?:class="[^"]+" )?for="([^"]+)"/g);
      const controls = matches(body, /<(?:input|textarea)(?: type="radio" name="[^"]+")? id="([^"]+)"/g);
      assert.deepEqual(controls.toSorted(), labelled.toSorted());
      for (const anchor of matches(body, /href="#([^"]+)"/g)) assert.ok(own.includes(anchor), anchor);
      for (const [, page = '', anchor = ''] of body.matchAll(/href="(\/docs[^"#]*)#([^"]+)"/g))
        if (ids.has(page)) assert.ok(ids.get(page)?.includes(anchor), `${page}#${anchor}`);
    }
  });

  it('every docs page has a stable ETag and answers 304 to a client that has it', async () => {
    for (const url of [...pages, '/docs/docs.css', '/docs/docs.js', '/docs/search.json']) {
      const first = await site.ask(url);
      assert.equal(first.status, 200);
      assert.equal(first.headers['cache-control'], 'no-cache');
      assert.ok(first.text.length > 1000, url);
      const again = await site.ask(url, { 'if-none-match': `W/"other", ${first.headers.etag}` });
      assert.equal(again.status, 304);
      assert.equal(again.text, '');
    }
  });
});
