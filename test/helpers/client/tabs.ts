// Tabs of a real browser with the client in them, on the service’s own origin, for tests that need a browser.
import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import type { browserStorage, Gatehouse, GatehouseOptions } from '../../../client/src/create-gatehouse.ts';
import { watch } from '../browser/browser.ts';
import { codeIn, eventually, newPhone, openPageStage } from '../browser/page-stage.ts';
import { bundleTabScript, clientSource, tabHtml } from './tab-page.ts';

declare global {
  /** In the tab. */
  var gatehouse: Gatehouse;
  var events: string[];
  var openGatehouse: (options: GatehouseOptions) => Gatehouse;
  var browserStore: typeof browserStorage;
}

type TabStage = NonNullable<Awaited<ReturnType<typeof openTabStage>>>;

type TabMode = 'cookie' | 'header';

/** `prepare` runs in each tab before anything else. `origin` is that of the page, if it is not the service’s own. */
type TabOptions = { readonly prepare?: (() => void) | undefined; readonly origin?: string };

export async function openTabStage(env: Record<string, string> = {}, client = clientSource) {
  const script = await bundleTabScript(client);
  const stage = await openPageStage(env, 'apart');
  if (stage === undefined) return undefined;
  return {
    ...stage,
    /** Tabs of one profile, each with its own client, and the problems in any of them. */
    openTabs: async (count: number, mode: TabMode, { prepare, origin = stage.url }: TabOptions = {}) => {
      const { context, page: first } = await stage.visit();
      if (prepare !== undefined) await context.addInitScript(prepare);
      if (origin === stage.url) await serve(context, `${origin}/tab`, script);
      const pages = [first, ...(await Promise.all(Array.from({ length: count - 1 }, () => context.newPage())))];
      const watches = pages.map((page) => watch(page, stage.url, origin));
      for (const page of pages) await openTab(page, `${origin}/tab`, origin === stage.url ? '' : stage.url, mode);
      const renewals: number[] = [];
      context.on('response', (response) => {
        if (response.url().endsWith('/api/auth/refresh-token')) renewals.push(response.status());
      });
      return {
        context,
        pages,
        renewals,
        problems: () => watches.flatMap(({ problems }) => problems).filter(isProblem),
      };
    },
  };
}

/** In local mode there is no challenge, and the browser reports each 404. */
function isProblem(problem: string): boolean {
  return !/status of 404 .*captcha\/challenge/.test(problem);
}

/** A new user, signed in by the client of a tab. The other tabs of the profile see a moment later what this one has stored. */
export async function signInAt(stage: TabStage, page: Page): Promise<string> {
  const { phone } = newPhone();
  await page.evaluate((to) => gatehouse.phone.sendCode(to), phone);
  const [message] = await stage.messages(phone);
  const code = codeIn(message ?? assert.fail());
  await page.evaluate(([to = '', given = '']) => gatehouse.phone.signIn(to, given), [phone, code]);
  for (const tab of page.context().pages()) await eventually(() => tab.evaluate(() => gatehouse.isSignedIn()));
  return phone;
}

async function openTab(page: Page, address: string, service: string, mode: TabMode): Promise<void> {
  await page.goto(address);
  const options = { ...(service !== '' && { url: service }), ...(mode === 'header' && { mode }) };
  await page.evaluate((given) => {
    globalThis.gatehouse = openGatehouse({ ...given, storage: browserStore() });
    globalThis.events = [];
    gatehouse.on('signed-in', () => events.push('signed-in'));
    gatehouse.on('signed-out', ({ reason }) => events.push(reason));
  }, options);
}

async function serve(context: BrowserContext, url: string, script: string): Promise<void> {
  await context.route(url, (route) => route.fulfill({ contentType: 'text/html', body: tabHtml }));
  await context.route(`${url}.js`, (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
}
