// The first minutes of a new user: `npm start`, sign in, upload a picture, share it, and open the link in another browser.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { eventually, newPhone, shownPhone } from '../../helpers/browser/page-stage.ts';
import type { TestEnv } from '../../helpers/services/gatehouse.ts';
import { allLoaded, choose } from './look.ts';
import { sayIn } from './say.ts';

/** What the user sees, in this order. */
export const steps = ['sign-in', 'code', 'account', 'share', 'shared'] as const;
export type Step = (typeof steps)[number];

/** The first start builds, which a busy machine does slowly. */
const longestStartMilliseconds = 300_000;

const root = new URL('../../../', import.meta.url).pathname;

/** Runs `npm start` in a folder, and resolves when the service is ready. What it prints is what a terminal shows. */
export async function startByNpm(env: TestEnv, folder = root) {
  const place = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  const look = { LOG_FORMAT: 'pretty', FORCE_COLOR: '1' };
  const npm = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...place, ...look, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  const ended = once(npm, 'close');
  const url = `http://localhost:${env.PORT}`;
  const stop = async () => {
    npm.kill('SIGTERM');
    await ended;
  };
  const until = performance.now() + longestStartMilliseconds;
  while (!(await isReady(url))) {
    if (npm.exitCode === null && performance.now() < until) {
      await sleep(50);
      continue;
    }
    await stop();
    assert.fail(`npm start: ${said}`);
  }
  return { url, said: () => said, stop };
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

type Walk = {
  readonly url: string;
  /** A new browser profile. */
  readonly visit: () => Promise<{ readonly page: Page }>;
  readonly picture: Buffer;
  /** Called when the page shows the step. */
  readonly tell?: (step: Step, page: Page) => Promise<unknown>;
};

/** Returns the link, which a browser without a session has opened. */
export async function walkFirstMinutes({ url, visit, picture, tell = async () => {} }: Walk): Promise<string> {
  const say = sayIn('en');
  const { typed, phone } = newPhone();
  const { page } = await visit();
  await page.goto(`${url}/`);
  await page.getByLabel(say.page('sign-in.phone'), { exact: true }).fill(typed);
  await tell('sign-in', page);

  await page.getByRole('button', { name: say.page('sign-in.sendCode') }).click();
  const chip = page.locator('button.chip');
  await chip.waitFor();
  await tell('code', page);

  await chip.click();
  await page.waitForURL('**/account');
  await page.getByText(shownPhone(phone)).first().waitFor();
  await page
    .getByLabel(new RegExp(say.page('account.drop')))
    .setInputFiles({ name: 'lake.png', mimeType: 'image/png', buffer: picture });
  const tile = page.getByRole('listitem').filter({ has: page.locator('img') });
  await tile.waitFor();
  await allLoaded(page);
  await tell('account', page);

  await choose(tile, say.page('account.share'));
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: say.page('account.createLink') }).click();
  const link = await dialog.getByLabel(say.page('account.newLink')).inputValue();
  await tell('share', page);

  const other = await visit();
  await other.page.goto(link);
  await other.page.getByRole('heading', { name: 'lake.png' }).waitFor();
  await eventually(() => other.page.evaluate('document.querySelector("img.shown").naturalWidth > 0'));
  await tell('shared', other.page);
  return link;
}
