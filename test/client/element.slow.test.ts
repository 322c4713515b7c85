// The element <gatehouse-sign-in> in a real browser, on a page of another origin with a strict policy.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { findViolationsInShadow } from '../helpers/browser/axe.ts';
import { watch } from '../helpers/browser/browser.ts';
import { askForCode, codeFor } from '../helpers/browser/element-steps.ts';
import { newPhone, openPageStage, signInLink } from '../helpers/browser/page-stage.ts';
import { openHostPage, policyFor, sampleOf } from '../helpers/client/host-page.ts';

const root = new URL('../../', import.meta.url).pathname;
const host = await openHostPage();
const stage = await openPageStage({ CORS_ORIGINS: host.origin, CAPTCHA_URL: 'altcha:' });

type Look = { readonly colorScheme?: 'light' | 'dark'; readonly width?: number; readonly locale?: string };

describe('the element <gatehouse-sign-in>', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(async () => {
    host.close();
    await here.close();
  });

  const ofDocument = (text: string) => text.replaceAll('https://id.example.com', here.url);

  /** A page with the element alone. */
  const pageWith = (attributes: string, lang = 'en') => ({
    '/index.html': `<!doctype html><html lang="${lang}"><meta name="color-scheme" content="light dark"><title>App</title>
      <link rel="icon" href="data:,"><script type="module" src="${here.url}/gatehouse-sign-in.js"></script>
      <script type="module" src="/main.js"></script>
      <main><h1>App</h1><gatehouse-sign-in ${attributes}></gatehouse-sign-in></main></html>`,
    '/main.js': `globalThis.events = [];
      for (const name of ['signed-in', 'signed-out', 'error'])
        document.addEventListener('gatehouse-' + name, ({ detail: { client, ...rest } }) => events.push([name, rest]));`,
  });

  async function open(
    files: Record<string, string>,
    { colorScheme = 'light', width = 700, locale = 'en-GB' }: Look = {},
  ) {
    const own = host.origin;
    host.serve(files, policyFor(here.url, `'self' ${here.url}`).replace('base-uri', `img-src data:; base-uri`));
    const { page, context } = await here.visit({ colorScheme, locale, viewport: { width, height: 700 } });
    const { problems } = watch(page, own, here.url);
    await page.goto(own);
    return { page, context, problems };
  }

  const eventsOf = (page: Page) => page.evaluate<[string, Record<string, unknown>][]>('events');

  it('the page of the document signs a user in with phone and code, uploads a file and signs out, under a strict policy', async () => {
    const files = {
      '/index.html': ofDocument(sampleOf('html', '<!doctype')),
      '/main.js': sampleOf('js', '// main.js'),
    };
    const { page, context, problems } = await open({ ...files, '/favicon.ico': '' });
    const phone = await askForCode(page);
    await page.keyboard.type(await codeFor(here.url, phone));
    await page.getByRole('heading', { name: `Hello ${phone}` }).waitFor();
    await page
      .getByLabel('Add a file')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
    await page.getByText('a.txt is stored.').waitFor();
    // Cookies hold the session, so a reload keeps it.
    await page.reload();
    await page.getByRole('heading', { name: `Hello ${phone}` }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Phone number').waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  it('a user signs in by keyboard alone, after an incomplete and a wrong code, and the page is informed without any secret', async () => {
    const { page, context } = await open(pageWith('autofocus'));
    await page.getByLabel('Phone number').waitFor();
    const { typed, phone } = newPhone();
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await page.getByLabel('Six-digit code').waitFor();
    const code = await codeFor(here.url, phone);
    const wrong = code === '000000' ? '000001' : '000000';
    await page.keyboard.type(wrong.slice(0, 5));
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'The code has 6 digits. Enter all of them.' }).waitFor();
    assert.equal(await page.getByLabel('Six-digit code').getAttribute('aria-invalid'), 'true');
    await page.keyboard.type(wrong.slice(5));
    await page.getByRole('alert').filter({ hasText: 'The code is incorrect. You have 4 attempts left.' }).waitFor();
    assert.equal(await page.getByLabel('Six-digit code').inputValue(), '');
    await page.keyboard.type(code);
    await page.getByText('You are signed in').waitFor();
    const events = await eventsOf(page);
    assert.deepEqual(
      events.map(([name]) => name),
      ['error', 'signed-in'],
    );
    assert.deepEqual([events[0]?.[1].code, events[0]?.[1].step], ['OTP_INVALID', 'code']);
    assert.deepEqual(events[1]?.[1], { isRestored: false });
    const all = JSON.stringify(events);
    for (const secret of [phone, code, wrong, 'eyJ']) assert.ok(!all.includes(secret));
    await context.close();
  });

  it('a code that is used up is replaced by a new one', async () => {
    const { page, context } = await open(pageWith(''));
    const phone = await askForCode(page);
    const first = await codeFor(here.url, phone);
    for (let left = 4; left >= 0; left--) {
      await page.getByLabel('Six-digit code').fill(first === '000000' ? '000001' : '000000');
      await page
        .getByRole('alert')
        .filter({ hasText: left === 0 ? 'no attempts left' : `${left} attempt` })
        .waitFor();
    }
    await page.getByLabel('Six-digit code').fill(first);
    await page.getByRole('alert').filter({ hasText: 'Too many incorrect codes' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sign in' }).isVisible(), false);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sent again.').waitFor();
    await page.getByLabel('Six-digit code').fill(await codeFor(here.url, phone, 2));
    await page.getByText('You are signed in').waitFor();
    await context.close();
  });

  it('a link by e-mail signs in a page of the same site when the user comes back', async () => {
    const { page, context } = await open(pageWith('mode="cookie" methods="phone email"'));
    const phone = await askForCode(page);
    await page.getByLabel('Six-digit code').fill(await codeFor(here.url, phone));
    await page.getByText('You are signed in').waitFor();
    const email = `${phone.slice(1)}@example.com`;
    const withClient = (call: string) => page.evaluate(`document.querySelector('gatehouse-sign-in').client.${call}`);
    await withClient(`email.sendCode('${email}')`);
    await withClient(`email.bind('${email}', '${await codeFor(here.url, email)}')`);
    await withClient('signOut()');
    await page.getByRole('button', { name: 'Use e-mail instead' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    const other = await context.newPage();
    await other.goto(await signInLink(here.url, email));
    await other.waitForURL('**/account');
    await other.close();
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByText('You are signed in').waitFor();
    await context.close();
  });

  it('the element has no axe violation and no sideways scrolling on a small phone, in light and in dark', async () => {
    const { page, context } = await open(pageWith('methods="phone email"'), { colorScheme: 'light', width: 320 });
    const judge = async () => {
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        assert.deepEqual(await findViolationsInShadow(page), [], colorScheme);
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
      }
    };
    await page.getByLabel('Phone number').fill('12');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'not a valid phone number' }).waitFor();
    await judge();
    await askForCode(page);
    await judge();
    await context.close();
  });

  it('the texts follow the language of the attribute, the page and the browser, in this order', async () => {
    for (const [attributes, lang, locale, button] of [
      ['lang="fr"', 'de', 'es-ES', 'Envoyer le code'],
      ['', 'de', 'es-ES', 'Code senden'],
      ['', '', 'es-ES', 'Enviar código'],
    ] as const) {
      const { page, context } = await open(pageWith(attributes, lang), { locale });
      await page.getByRole('button', { name: button }).waitFor();
      await context.close();
    }
  });

  it('the page sets the colours of the element, with properties of its own that have any name', async () => {
    const { page, context } = await open(pageWith(''));
    await page.getByLabel('Phone number').waitFor();
    const names = ['accent', 'card', 'field', 'ink', 'quiet', 'line', 'edge', 'radius'];
    await page.evaluate(`for (const name of ${JSON.stringify(names)})
      document.documentElement.style.setProperty('--' + name, name === 'radius' ? '3px' : 'rgb(1, 2, 3)');
      document.querySelector('gatehouse-sign-in').style.cssText =
        '--gatehouse-accent: var(--accent); --gatehouse-radius: var(--radius); --gatehouse-text: rgb(4, 5, 6)';`);
    const styleOf = (selector: string, name: string) =>
      page.locator(selector).evaluate((node, wanted) => getComputedStyle(node).getPropertyValue(wanted), name);
    assert.equal(await styleOf('button.primary', 'border-color'), 'rgb(1, 2, 3)');
    assert.equal(await styleOf('button.primary', 'border-radius'), '3px');
    assert.equal(await styleOf('h2', 'color'), 'rgb(4, 5, 6)');
    assert.equal(await styleOf('.card', 'background-color'), 'rgb(255, 255, 255)');
    await context.close();
  });

  it('the page can give the element a client of its own, before and after the element is defined', async () => {
    const files = pageWith('base-url="http://127.0.0.1:1"');
    const script = `import { createGatehouse } from '${here.url}/gatehouse-sign-in.js';
      const client = createGatehouse({ url: '${here.url}' });
      const element = document.querySelector('gatehouse-sign-in');
      element.removeAttribute('base-url');
      element.client = client;
      globalThis.isSame = () => element.client === client;`;
    const { page, context } = await open({ ...files, '/main.js': script });
    await page.getByLabel('Phone number').waitFor();
    assert.equal(await page.evaluate('isSame()'), true);
    const early = `document.querySelector('gatehouse-sign-in').client = 'early'; import('${here.url}/gatehouse-sign-in.js');
      customElements.whenDefined('gatehouse-sign-in').then(() => {
        globalThis.kept = document.querySelector('gatehouse-sign-in').client;
      });`;
    host.serve(
      {
        '/index.html': '<!doctype html><gatehouse-sign-in></gatehouse-sign-in><script src="/main.js"></script>',
        '/main.js': early,
      },
      '',
    );
    await page.goto(host.origin);
    await page.waitForFunction("globalThis.kept === 'early'");
    await context.close();
  });

  it('without a connection the element says so, and tries again', async () => {
    const { page, context } = await open(pageWith('base-url="http://127.0.0.1:1"'));
    await page.getByText('The service cannot be reached.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForFunction("events.some(([name, { code }]) => name === 'error' && code === 'NETWORK')");
    await page.evaluate(`document.querySelector('gatehouse-sign-in').setAttribute('base-url', '${here.url}')`);
    await page.getByLabel('Phone number').waitFor();
    await context.close();
  });

  it('the element of the package has at most 9 KB, minified and compressed, besides the client', async () => {
    const { outputFiles } = await build({
      entryPoints: [`${root}client/src/element/element.ts`],
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      write: false,
      plugins: [
        {
          name: 'without-client',
          setup: ({ onResolve }) =>
            onResolve({ filter: /create-gatehouse\.ts$/ }, () => ({ path: './create-gatehouse.js', external: true })),
        },
      ],
    });
    const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
    assert.ok(size <= 9 * 1024, `${size} bytes`);
  });

  it('the document names every custom property, part, attribute and event of the element, and no other', () => {
    const document = readFileSync(`${root}docs/components.md`, 'utf8');
    const source = globSync(`${root}client/src/element/*.ts`)
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const find = (text: string, pattern: RegExp) =>
      [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();
    const properties = find(document, /^\| (`--gatehouse-[^|]+) \|/gm).join();
    assert.deepEqual(find(properties, /`(--gatehouse-[a-z-]+)`/g), find(source, /var\((--gatehouse-[a-z-]+)/g));
    const parts = find(source, /part: '([^'$]+)'/g).flatMap((names) => names.split(' '));
    const listed = /::part\(\)`: ([^.]+)\./.exec(document)?.[1] ?? '';
    const missing = parts.filter((part) => !listed.includes(`\`${part}\``));
    assert.deepEqual(missing, []);
    assert.deepEqual(find(document, /^\| `(gatehouse-[a-z-]+)` \|/gm), find(source, /^ {2}'(gatehouse-[a-z-]+)':/gm));
    const attributes = [...find(source, /(?:get|has)Attribute\('([a-z-]+)'\)/g)].filter((name) => name !== 'state');
    for (const name of attributes) assert.match(document, new RegExp(`^\\| \`${name}\` \\|`, 'm'));
  });
});
