// Records the first minutes of a new user in a fresh clone: pictures and measured times for docs/first-two-minutes.md.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { type Step, startByNpm, walkFirstMinutes } from '../../test/helpers/look/first-minutes.ts';
import { screen } from './docs-pictures.ts';
import { findPort } from './find-port.ts';
import { savePicture } from './save-picture.ts';
import { scenery } from './scenery.ts';
import { writeTerminalPage } from './terminal-page.ts';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;
const document = join(root, 'docs/first-two-minutes.md');
const order: readonly Step[] = ['sign-in', 'code', 'account', 'share', 'shared'];

/** What the user did before the step is seen. */
const deeds: Readonly<Record<Step, string>> = {
  'sign-in': 'open the sign-in page and type a number',
  code: 'ask for the code, and receive it',
  account: 'sign in and upload the picture',
  share: 'make a link',
  shared: 'open the link in another browser',
};

export async function recordFirstMinutes(browser: Browser, folder: string): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'gatehouse-first-minutes-'));
  const clone = join(place, 'gatehouse');
  const times = new Map<string, number>();
  let since = performance.now();
  const note = (deed: string) => {
    times.set(deed, (performance.now() - since) / 1000);
    since = performance.now();
  };
  try {
    await run('git', ['clone', '--quiet', root, clone]);
    // An empty cache, because a new user has none.
    await run('npm', ['ci', '--loglevel=error', '--cache', join(place, 'cache')], { cwd: clone });
    note('install');
    const env = { PORT: String(await findPort(8080)), METRICS_PORT: String(await findPort(9464)) };
    const service = await startByNpm(env, clone);
    try {
      note('`npm start`, which builds on the first start');
      await takeTerminal(browser, service.said().replaceAll(clone, '~/gatehouse'), folder);
      since = performance.now();
      const tell = async (step: Step, page: Page) => {
        note(deeds[step]);
        await savePicture(await page.screenshot(), `${folder}first-${order.indexOf(step) + 2}-${step}.png`);
        since = performance.now();
      };
      const visit = async () => ({ page: await openPage(browser) });
      await walkFirstMinutes({ url: service.url, visit, picture: await scenery(960, 640), tell });
    } finally {
      await service.stop();
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  writeTimes(times);
}

const openPage = (browser: Browser) =>
  browser.newPage({
    viewport: screen,
    deviceScaleFactor: 2,
    locale: 'en-GB',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });

async function takeTerminal(browser: Browser, said: string, folder: string): Promise<void> {
  const page = await openPage(browser);
  await page.setContent(writeTerminalPage('npm ci && npm start', said));
  await savePicture(await page.screenshot({ fullPage: true }), `${folder}first-1-terminal.png`);
  await page.close();
}

function writeTimes(times: ReadonlyMap<string, number>): void {
  const { install = 0, ...walked } = Object.fromEntries(times);
  const sum = Object.values(walked).reduce((all, one) => all + one, 0);
  const rows = Object.entries(walked).map(([deed, seconds]) => `| ${deed} | ${seconds.toFixed(1)} |`);
  const table = [
    '| step | seconds |',
    '|---|---|',
    ...rows,
    `| **together** | **${sum.toFixed(1)}** |`,
    '',
    `Before that, \`git clone\` and \`npm ci\` with an empty cache took ${install.toFixed(0)} s. The machine has ${cpus().length} processors.`,
  ].join('\n');
  const [begin, end] = ['<!-- times: begin -->\n', '\n<!-- times: end -->'];
  const text = readFileSync(document, 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  const after = rest.split(end)[1] ?? '';
  writeFileSync(document, `${before}${begin}${table}${end}${after}`);
  console.log(table);
}
