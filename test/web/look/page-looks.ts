// The states of the other pages that users see: links, shared files, the inbox, apps, the element, the brand, problems, and the docs.
import { allLoaded, type Look, refuse, type Scene } from './look.ts';

const linkToken = 'x'.repeat(43);

/** The whole inbox of a service that has sent nothing. */
async function openEmptyInbox({ page, url, say }: Scene): Promise<void> {
  const json = { success: true, message: 'inbox', codeError: null, data: { messages: [] } };
  // Later questions wait for news.
  let asked = 0;
  await page.route(`${url}/api/inbox*`, (route) => (asked++ === 0 ? route.fulfill({ json }) : undefined));
  await page.goto(`${url}/inbox`);
  await page.getByText(say.page('inbox.noMessages')).waitFor();
}

async function openInbox({ page, url }: Scene): Promise<void> {
  await page.goto(`${url}/inbox`);
  await page.locator('main article, main li, .bubble').first().waitFor();
}

async function openRefusedLink(scene: Scene, code: 'LINK_INVALID' | 'LINK_EXPIRED'): Promise<void> {
  await refuse(scene, '/api/auth/email/**', 410, code);
  await scene.page.goto(`${scene.url}/login/link#${linkToken}`);
  await scene.page.getByRole('alert').filter({ hasText: /./ }).first().waitFor();
}

async function openNotMe({ page, url, say }: Scene, fragment: string): Promise<void> {
  await page.goto(`${url}/not-me#${fragment}`);
  await page.getByRole('button', { name: say.page('not-me.button') }).waitFor();
}

function authorizeUrl({ url }: Pick<Scene, 'url'>, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({
    client_id: 'calendar',
    redirect_uri: `${url}/livez`,
    response_type: 'code',
    scope: 'openid email',
    state: 'state',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
    ...more,
  });
  return `${url}/oauth/authorize?${query}`;
}

/** The sign-in element in a page of an app that has almost no style of its own. */
async function openElement({ page, url, language }: Scene): Promise<void> {
  const body = `<!doctype html><html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
    <meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>App</title>
    <link rel="icon" href="data:,"><script type="module" src="/gatehouse-sign-in.js"></script>
    <style>body { font-family: sans-serif; max-width: 30rem; margin: 2rem auto; padding: 0 1rem; }</style>
    <main><h1>Harbour Photos</h1><gatehouse-sign-in methods="phone email"></gatehouse-sign-in></main></html>`;
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  await page.route(`${url}/page-of-an-app`, (route) => route.fulfill({ headers, body }));
  await page.goto(`${url}/page-of-an-app`);
}

const docs = (name: string, path: string): Look => ({
  name: `docs-${name}`,
  who: 'guest',
  show: ({ page, url }) => page.goto(`${url}${path}`),
  isLong: true,
});

const heading = ({ page }: Scene, name: string) => page.getByRole('heading', { name }).first().waitFor();

export const pageLooks: readonly Look[] = [
  {
    name: 'link-confirm',
    who: 'guest',
    show: async (scene) => {
      await scene.page.goto(await scene.newLink());
      await scene.page.getByRole('button').first().waitFor();
    },
  },
  { name: 'link-expired', who: 'guest', statuses: [410], show: (scene) => openRefusedLink(scene, 'LINK_EXPIRED') },
  { name: 'link-used', who: 'guest', statuses: [410], show: (scene) => openRefusedLink(scene, 'LINK_INVALID') },
  { name: 'not-me', who: 'guest', show: (scene) => openNotMe(scene, linkToken) },
  {
    name: 'not-me-used',
    who: 'guest',
    statuses: [400, 404, 410],
    show: async (scene) => {
      await openNotMe(scene, linkToken);
      await scene.page.getByRole('button', { name: scene.say.page('not-me.button') }).click();
      await scene.page.getByRole('alert').filter({ hasText: /./ }).first().waitFor();
    },
  },
  {
    name: 'app-sign-in',
    who: 'guest',
    show: async (scene) => {
      await scene.page.goto(authorizeUrl(scene, { client_id: 'notes' }));
      await heading(scene, 'Notes');
    },
  },
  {
    name: 'app-consent',
    who: 'owner',
    show: async (scene) => {
      await scene.page.goto(authorizeUrl(scene));
      await scene.page.getByRole('button', { name: scene.say.page('sign-in.app.allow') }).waitFor();
    },
  },
  {
    name: 'app-error',
    who: 'guest',
    statuses: [400],
    show: async (scene) => {
      await scene.page.goto(authorizeUrl(scene, { client_id: 'nobody' }));
      await heading(scene, scene.say.page('app-error.unknownApp.title'));
    },
  },
  {
    name: 'app-sign-out',
    who: 'owner',
    show: async ({ page, url, say }) => {
      await page.goto(`${url}/oauth/logout?client_id=notes`);
      await page.getByText(say.page('app-sign-out.stay')).waitFor();
    },
  },
  {
    name: 'shared-picture',
    who: 'guest',
    show: async (scene) => {
      await scene.page.goto(scene.prepared.pictureLink);
      await heading(scene, 'garden.png');
      await allLoaded(scene.page);
    },
  },
  {
    name: 'shared-document',
    who: 'guest',
    show: async (scene) => {
      await scene.page.goto(scene.prepared.documentLink);
      await heading(scene, 'report of the year.pdf');
    },
  },
  {
    name: 'shared-expired',
    who: 'guest',
    statuses: [404, 410],
    show: async (scene) => {
      await scene.page.goto(`${scene.prepared.pictureLink}x`);
      await heading(scene, scene.say.page('shared-file.gone'));
    },
  },
  { name: 'inbox-empty', who: 'guest', show: openEmptyInbox },
  { name: 'inbox-messages', who: 'guest', show: openInbox, isLong: true },
  {
    name: 'element',
    who: 'guest',
    show: async (scene) => {
      await openElement(scene);
      await scene.page.getByLabel(scene.say.page('sign-in.phone'), { exact: true }).waitFor();
    },
  },
  {
    name: 'brand',
    who: 'guest',
    hasBothSchemes: true,
    show: async ({ page, url }) => {
      await page.goto(`${url}/brand`);
      await page.frameLocator('iframe').getByRole('link').first().waitFor();
    },
    isLong: true,
  },
  docs('start', '/docs'),
  docs('topic', '/docs/files'),
  docs('api', '/docs/api'),
  docs('api-area', '/docs/api/service'),
  docs('errors', '/docs/errors'),
  {
    name: 'problem-not-found',
    who: 'guest',
    statuses: [404],
    show: ({ page, url }) => page.goto(`${url}/no-such-page`),
  },
  {
    name: 'problem-sign-in-first',
    who: 'guest',
    statuses: [401],
    show: async ({ page, url, prepared }) => page.goto(`${url}/file/${prepared.pictureId}`),
  },
  {
    name: 'problem-our-side',
    who: 'owner',
    statuses: [404, 410, 500, 503],
    show: ({ page, url, prepared }) => page.goto(`${url}/file/${prepared.lostId}`),
  },
];
