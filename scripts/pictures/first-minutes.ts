// Records the first minutes of a new user in a fresh clone: pictures and measured times for docs/start.md.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { type Step, startByNpm, steps, walkFirstMinutes } from '../../test/web/look/first-minutes.ts';
import { findPort } from './find-port.ts';
import { savePicture } from './save-picture.ts';
import { scenery } from './scenery.ts';
import { writeTerminalPage } from './terminal-page.ts';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;
const document = join(root, 'docs/start.md');

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
  try {
    const begin = performance.now();
    await run('git', ['clone', '--quiet', root, clone]);
    // An empty cache, because a new user has none.
    await run('npm', ['ci', '--loglevel=error', '--cache', join(place, 'cache')], { cwd: clone });
    await recordIn(clone, (performance.now() - begin) / 1000, browser, folder);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** The clone is installed, and not built. */
async function recordIn(clone: string, installSeconds: number, browser: Browser, folder: string): Promise<void> {
  const times: [deed: string, seconds: number][] = [];
  let since = performance.now();
  const note = (deed: string) => times.push([deed, (performance.now() - since) / 1000]);
  const env = { PORT: String(await findPort(8080)), METRICS_PORT: String(await findPort(9464)) };
  const service = await startByNpm(env, clone);
  try {
    note('`npm start`, which builds on the first start');
    await takeTerminal(browser, service.said().replaceAll(clone, '~/gatehouse'), folder);
    since = performance.now();
    const tell = async (step: Step, page: Page) => {
      note(deeds[step]);
      if (step === 'account') await page.evaluate(`document.querySelector('.files').scrollIntoView()`);
      await savePicture(await page.screenshot(), `${folder}first-${steps.indexOf(step) + 2}-${step}.png`);
      since = performance.now();
    };
    const visit = async () => ({ page: await openPage(browser) });
    await walkFirstMinutes({ url: service.url, visit, picture: await scenery(960, 640), tell });
  } finally {
    await service.stop();
  }
  writeTimes(times, installSeconds);
}

const openPage = (browser: Browser, deviceScaleFactor = 2) =>
  browser.newPage({
    viewport: { width: 1000, height: 800 },
    deviceScaleFactor,
    locale: 'en-GB',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });

async function takeTerminal(browser: Browser, said: string, folder: string): Promise<void> {
  // Much small text: more pixels would make a large file.
  const page = await openPage(browser, 1.5);
  await page.setContent(writeTerminalPage('npm ci && npm start', said));
  await savePicture(await page.screenshot({ fullPage: true }), `${folder}first-1-terminal.png`);
  await page.close();
}

function writeTimes(times: readonly (readonly [deed: string, seconds: number])[], installSeconds: number): void {
  const sum = times.reduce((all, [, seconds]) => all + seconds, 0);
  const load = Math.round(loadavg()[0] ?? 0);
  const table = [
    '| step | seconds |',
    '|---|---|',
    ...times.map(([deed, seconds]) => `| ${deed} | ${seconds.toFixed(1)} |`),
    `| **together** | **${sum.toFixed(1)}** |`,
    '',
    `Before that, \`git clone\` and \`npm ci\` with an empty cache took ${installSeconds.toFixed(0)} s. The machine has ${cpus().length} processors; its load average was ${load} at the end.`,
  ].join('\n');
  const [begin, end] = ['<!-- times: begin -->', '<!-- times: end -->'];
  const text = readFileSync(document, 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  const after = rest.split(end)[1] ?? '';
  writeFileSync(document, `${before}${begin}\n${table}\n${end}${after}`);
  console.log(table);
}
