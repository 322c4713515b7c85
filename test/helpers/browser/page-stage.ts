// A stage for tests of the pages: a service, a real browser, and users who each have their own browser profile.
import assert from 'node:assert/strict';
import { parsePhoneNumber } from 'libphonenumber-js/max';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { isolatedEnv, startGatehouse, type TestEnv } from '../services/gatehouse.ts';
import { waitUntil } from '../wait-until.ts';
import { openBrowser, type Tabs, watch } from './browser.ts';

export type Visitor = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The errors on the page so far. `forgive` excludes refusals that the test provokes. */
  readonly problems: () => string[];
  /** From now on, answers with these statuses are not errors, although the browser reports each on the console. */
  forgive(...statuses: readonly number[]): void;
  /** Ends the session of the account page. It checks its session every ten seconds, so a check may be refused meanwhile: that is no error. */
  leave(act: () => Promise<void>): Promise<void>;
};

export type PageStage = Awaited<ReturnType<typeof openPageStage>>;

/** One browser serves the stages of a process, because to start it costs as much as a test. Its users have a profile each. */
const browsers = new Map<Tabs, { readonly opened: Promise<Browser | undefined>; stages: number }>();

async function shareBrowser(tabs: Tabs): Promise<{ readonly browser: Browser; leave(): Promise<void> } | undefined> {
  const shared = browsers.get(tabs) ?? { opened: openBrowser('engine', [], tabs), stages: 0 };
  browsers.set(tabs, shared);
  shared.stages += 1;
  const browser = await shared.opened;
  if (browser === undefined) return undefined;
  return {
    browser,
    leave: async () => {
      shared.stages -= 1;
      if (shared.stages > 0) return;
      browsers.delete(tabs);
      await browser.close();
    },
  };
}

/** Undefined if there is no browser. */
export async function openPageStage(env: TestEnv = {}, tabs: Tabs = 'together') {
  const shared = await shareBrowser(tabs);
  if (shared === undefined) return undefined;
  const isolated = await isolatedEnv('sqlite', env);
  const service = await startGatehouse(isolated.env);
  const url = `http://localhost:${isolated.env.PORT}`;
  const contexts = new Set<BrowserContext>();
  return {
    url,
    env: isolated.env,
    visit: async (options: BrowserContextOptions = {}) => {
      const visitor = await visit(shared.browser, url, options);
      contexts.add(visitor.context);
      return visitor;
    },
    messages: (to: string) => readMessages(url, to),
    close: async () => {
      await Promise.all([...contexts].map((context) => context.close()));
      await shared.leave();
      await service.stop();
      await isolated.dispose();
    },
  };
}

async function visit(browser: Browser, url: string, options: BrowserContextOptions): Promise<Visitor> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const { problems } = watch(page, url);
  const forgiven = new Set<number>();
  return {
    context,
    page,
    problems: () => problems.filter((problem) => !forgiven.has(statusIn(problem))),
    forgive: (...statuses) => {
      for (const status of statuses) forgiven.add(status);
    },
    leave: async (act) => {
      const before = problems.length;
      await act();
      const others = problems.splice(before).filter((problem) => statusIn(problem) !== 401);
      problems.push(...others);
    },
  };
}

function statusIn(problem: string): number {
  return Number(/status of (\d{3})/.exec(problem)?.[1]);
}

export type Message = { readonly text: string; readonly html?: string; readonly subject?: string };

/** Newest first; waits for the first one. */
export async function readMessages(url: string, to: string): Promise<Message[]> {
  const response = await fetch(`${url}/api/inbox?wait=30&to=${encodeURIComponent(to)}`);
  const { data } = (await response.json()) as { data: { messages: Message[] } };
  assert.ok(data.messages.length > 0, `no message for ${to}`);
  return data.messages;
}

export function codeIn({ text }: Message): string {
  return /\b(\d{6})\b/.exec(text)?.[1] ?? assert.fail(`no code in ${text}`);
}

export function linkIn({ text }: Message): string {
  return /https?:\S+#\S+/.exec(text)?.[0] ?? assert.fail(`no link in ${text}`);
}

/** The newest link to sign in with. An earlier mail may have a code only, so it waits for one with a link. */
export function signInLink(url: string, to: string): Promise<string> {
  const isLink = ({ text }: Message) => text.includes('/login/link#');
  return waitUntil('a mail with a link', async () => {
    const mail = (await readMessages(url, to)).find(isLink);
    return mail && linkIn(mail);
  });
}

/** Repeats the check until it holds, because a page takes time. Each check costs the page some of it. */
export async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  await waitUntil('the page shows it', isSo, 40);
}

let lastNumber = 0;

/** National digits of a British mobile number that no other test of this process uses. */
export function newPhone(): { readonly typed: string; readonly phone: string } {
  lastNumber += 1;
  const digits = `7400 ${String(120_000 + lastNumber)}`;
  return { typed: `0${digits}`, phone: `+44${digits.replace(' ', '')}` };
}

/** The number as the pages show it. */
export function shownPhone(phone: string): string {
  return parsePhoneNumber(phone).formatInternational();
}

/** Signs out on the account page. */
export function signOut({ url }: NonNullable<PageStage>, { page, leave }: Visitor): Promise<void> {
  return leave(async () => {
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(`${url}/`);
  });
}

/** Signs up a user through the pages and returns the phone number. */
export async function signUp(stage: NonNullable<PageStage>, { page }: Visitor): Promise<string> {
  const { typed, phone } = newPhone();
  await page.goto(`${stage.url}/`);
  await page.getByLabel('Phone number').fill(typed);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Six-digit code').waitFor();
  const [message] = await stage.messages(phone);
  await page.getByLabel('Six-digit code').fill(codeIn(message ?? assert.fail()));
  await page.waitForURL('**/account');
  await page.getByText(shownPhone(phone)).waitFor();
  return phone;
}
