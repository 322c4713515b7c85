// The page about a problem: what it says for each status, that it escapes every text, and that its policy allows nothing else.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { type Brand, noBrand } from '../../../src/brand/brand.ts';
import { createProblemPages, isNavigation, isShown } from '../../../src/http/pages/problem-page.ts';
import { languages } from '../../../src/kernel/text/language.ts';
import { textsIn } from '../../../src/kernel/text/texts.ts';

const brand: Brand = {
  ...noBrand,
  name: 'Acme & <Sons>',
  isNamed: true,
  links: { terms: null, privacy: 'https://acme.example/p?a=1&b="2"', support: 'mailto:help@acme.example' },
};
const style = 'a > b{color:red}';
const pages = createProblemPages(brand, style);

describe('the page about a problem', () => {
  for (const [status, title, action] of [
    [401, 'Sign in to go on', '<a class="button" href="/">Sign in</a>'],
    [403, 'No access', '<a class="button" href="/">Go to the start page</a>'],
    [404, 'Not found', '<a class="button" href="/">Go to the start page</a>'],
    [410, 'No longer available', '<a class="button" href="/">Go to the start page</a>'],
    [429, 'Too many requests', '<a class="button" href="">Try again</a>'],
    [500, 'This did not work', '<a class="button" href="">Try again</a>'],
    [503, 'Not available right now', '<a class="button" href="">Try again</a>'],
    [507, 'This did not work', '<a class="button" href="">Try again</a>'],
  ] as const) {
    it(`the page about ${status} has the title “${title}”, the message and one thing to do`, () => {
      const { body } = pages('en', { status, message: 'What happened.' });
      assert.ok(body.includes(`<title>${title} · Acme &amp; &lt;Sons&gt;</title>`), body);
      assert.ok(body.includes(`<h1>${title}</h1>`));
      assert.ok(body.includes('<p class="message" lang="en">What happened.</p>'));
      assert.ok(body.includes(`<p class="status">${status}</p>`));
      assert.equal(body.split('class="button"').length, 2);
      assert.ok(body.includes(action));
      assert.ok(body.includes('<meta name="robots" content="noindex">'));
    });
  }

  it('the page about a problem exists in every language, and says which language a foreign message has', () => {
    for (const language of languages) {
      const { body } = pages(language, { status: 404, message: 'In English.', messageLanguage: 'en' });
      assert.ok(body.includes(`<html lang="${language}"`), language);
      assert.ok(body.includes(`<h1>${textsIn(language).pages.problem.notFound}</h1>`), language);
      assert.ok(body.includes('<p class="message" lang="en">'), language);
    }
  });

  it('the page about a problem escapes the message, the brand and its links', () => {
    const { body } = pages('en', { status: 404, message: '</p><script>alert("1")</script>' });
    assert.ok(!body.includes('<script'));
    assert.ok(body.includes('&lt;script&gt;alert(&quot;1&quot;)'));
    assert.ok(body.includes('href="https://acme.example/p?a=1&amp;b=&quot;2&quot;">Privacy'));
    assert.ok(body.includes('href="mailto:help@acme.example">Support'));
    assert.ok(!body.includes('>Terms'));
  });

  it('the policy of the page allows its own style by digest, pictures of the service, and nothing else', () => {
    const { headers, body } = pages('en', { status: 404, message: '' });
    const [, inside = ''] = /<style>(.*)<\/style>/.exec(body) ?? [];
    assert.equal(inside, style);
    assert.equal(
      headers['content-security-policy'],
      `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    assert.equal(headers['x-robots-tag'], 'noindex');
    assert.match(headers.vary ?? '', /Sec-Fetch-Dest/);
  });

  it('the page shows the logos of the operator, for light and for dark', () => {
    const file = { type: 'image/png', base64: '' } as const;
    const logo = { light: { ...file, hash: 'a' }, dark: { ...file, hash: 'b' } };
    const { body } = createProblemPages({ ...brand, logo }, style)('en', { status: 404, message: '' });
    assert.ok(body.includes('<source srcset="/brand/logo-dark?v=b" media="(prefers-color-scheme: dark)">'));
    assert.ok(body.includes('<img class="logo" src="/brand/logo-light?v=a" alt="Acme &amp; &lt;Sons&gt;">'));
  });

  it('the page has the accent of the operator, in its style and in its icon, and no mark of ours', () => {
    const shades = { accent: '#0f766e', strong: '#0c5e58', onAccent: '#ffffff', tint: '#ecf4f3' };
    const accent = { light: shades, dark: shades };
    const { headers, body } = createProblemPages({ ...brand, accent }, style)('en', { status: 404, message: '' });
    const [, inside = ''] = /<style>([^<]*)<\/style>/.exec(body) ?? [];
    assert.ok(inside.startsWith(style) && inside.includes(':root{--accent:#0f766e'));
    assert.ok(headers['content-security-policy']?.includes(hash('sha256', inside, 'base64')));
    assert.match(body, /<link rel="icon" href="data:image\/svg\+xml,[^"]*%230f766e/);
    assert.ok(body.includes('<span class="initial" aria-hidden="true">A</span>') && !body.includes('class="mark"'));
  });

  it('only statuses that a person can meet have a page, and only a browser that opens an address gets it', () => {
    const shown = [200, 302, 400, 401, 403, 404, 405, 409, 410, 413, 422, 429, 431, 500, 503, 507].filter(isShown);
    assert.deepEqual(shown, [400, 401, 403, 404, 405, 410, 429, 500, 503, 507]);
    assert.ok(isNavigation({ 'sec-fetch-dest': 'document' }));
    for (const target of ['empty', 'iframe', 'image', 'Document', 'document, document', ''])
      assert.ok(!isNavigation({ 'sec-fetch-dest': target }), target);
    assert.ok(!isNavigation({ accept: 'text/html' }));
  });
});
