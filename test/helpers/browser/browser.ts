// A real browser for tests that makes no request outside this machine, and a monitor of errors on a page.
import { type Browser, chromium, type Page } from 'playwright-core';
import { type BrowserPart, type Chromium, findChromium } from './find-chromium.ts';

/** Options beyond those that Playwright sets itself (no first run, no updates, no sync, no background traffic). */
const args = [
  '--disable-gpu',
  '--disable-quic',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--no-pings',
  '--autoplay-policy=no-user-gesture-required',
];

/** Whether the tabs of a profile have a process each, as people's have, or share one. To start one costs as much as to load a page. */
export type Tabs = 'apart' | 'together';
const tabArgs: Readonly<Record<Tabs, readonly string[]>> = { apart: [], together: ['--process-per-site'] };

/** This browser resolves no external name. */
const ownNames = ['localhost', '*.localhost', '127.0.0.1', '[::1]'];

/** Undefined, with a printed reason, if no browser starts. The caller closes it. `addresses` are others of this machine. */
export async function openBrowser(
  part: BrowserPart = 'whole',
  addresses: readonly string[] = [],
  tabs: Tabs = 'apart',
): Promise<Browser | undefined> {
  let reason = 'none was found, set CHROMIUM_PATH';
  for (const candidate of findChromium(part)) {
    try {
      return await launch(candidate(), tabArgs[tabs], [...ownNames, ...addresses]);
    } catch (error) {
      if (process.env.CHROMIUM_PATH) throw error;
      reason = `it does not start: ${firstLines(error)}`;
    }
  }
  console.log(`skipped: there is no Chromium (${reason.replaceAll(/\s+/g, ' ')}), so no page is tested`);
  return undefined;
}

function launch(candidate: Chromium, further: readonly string[], names: readonly string[]): Promise<Browser> {
  const rules = ['MAP * ~NOTFOUND', ...names.map((name) => `EXCLUDE ${name}`)].join(', ');
  return chromium.launch({
    executablePath: candidate.path,
    chromiumSandbox: false,
    args: [...args, ...further, `--host-resolver-rules=${rules}`, ...candidate.args],
    env: { ...definedOnly(process.env), ...candidate.env },
    timeout: 60_000,
  });
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function firstLines(error: unknown): string {
  return String(error).split('\n').slice(0, 2).join(' ');
}

/**
 * Records from now on console errors (including blocked content of a content security policy), uncaught errors, and
 * requests to any origin except the given ones.
 */
export function watch(page: Page, ...origins: readonly string[]): { readonly problems: string[] } {
  const problems: string[] = [];
  const hosts = origins.map((origin) => new URL(origin).host);
  const noteHost = (url: string) => {
    if (/^(?:https?|wss?):/.test(url) && !hosts.includes(new URL(url).host)) problems.push(`request: ${url}`);
  };
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => problems.push(`page: ${error.message}`));
  page.on('request', (request) => noteHost(request.url()));
  page.on('websocket', (socket) => noteHost(socket.url()));
  return { problems };
}
