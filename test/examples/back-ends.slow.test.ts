// The examples with a back end in Express and in Python, as their readers use them: one command, a browser, the address bar.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser, watch } from '../helpers/browser/browser.ts';
import { codeIn, eventually, newPhone, readMessages } from '../helpers/browser/page-stage.ts';
import { signWebhook } from '../helpers/people/webhook-receiver.ts';
import { openExample, type RunningExample } from '../helpers/services/example.ts';

type BackEnd = {
  readonly name: string;
  readonly title: string;
  /** Lets the back end keep a file for the user. Returns its name. */
  readonly keepFile: (page: Page) => Promise<string>;
  /** What is in the file. */
  readonly content: (phone: string) => RegExp;
};

const backEnds: readonly BackEnd[] = [
  {
    name: 'express',
    title: 'Reports',
    keepFile: async (page) => {
      await page.getByRole('button', { name: 'Make a report' }).click();
      return 'report.csv';
    },
    content: (phone) => new RegExp(`"phone","'\\${phone}"`),
  },
  {
    name: 'python',
    title: 'Cloud folder',
    keepFile: async (page) => {
      const buffer = Buffer.from('All that was said in the meeting.\n');
      await page.getByLabel('A document').setInputFiles({ name: 'minutes ü.txt', mimeType: 'text/plain', buffer });
      await page.getByRole('button', { name: 'Keep it' }).click();
      return 'minutes ü.txt';
    },
    content: () => /^All that was said/,
  },
];

const browser = await openBrowser('engine');

describe('an example with a back end', { skip: browser === undefined }, async () => {
  const chromium = browser ?? assert.fail();
  const running = new Map<BackEnd, RunningExample>();
  for (const backEnd of backEnds) running.set(backEnd, await openExample(backEnd.name));
  before(() => Promise.all([...running.values()].map((example) => example.start())));
  after(async () => {
    await chromium.close();
    for (const example of running.values()) await example.close();
  });

  async function visit({ url }: RunningExample): Promise<Page> {
    const context = await chromium.newContext({ locale: 'en-GB', viewport: { width: 320, height: 700 } });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    await page.goto(url);
    return page;
  }

  async function signIn(page: Page, { gatehouseUrl }: RunningExample): Promise<string> {
    const { phone } = newPhone();
    await page.getByLabel('Phone number').fill(phone);
    await page.keyboard.press('Enter');
    await page.getByLabel('Code from the SMS').waitFor();
    const [message] = await readMessages(gatehouseUrl, phone);
    await page.getByLabel('Code from the SMS').fill(codeIn(message ?? assert.fail()));
    await page.keyboard.press('Enter');
    await page.getByText(phone).waitFor();
    return phone;
  }

  for (const [{ name, keepFile, content }, example] of running) {
    it(`${name}: a user signs in, the back end keeps a file, and only this user gets it back`, async () => {
      const page = await visit(example);
      const { problems } = watch(page, example.url, example.gatehouseUrl);
      const phone = await signIn(page, example);
      const file = await keepFile(page);
      const button = page.getByRole('list', { name: 'Files' }).getByRole('button', { name: file });
      await button.waitFor();
      const [asked, download] = await Promise.all([
        page.waitForRequest(/\/api\/files\/./),
        page.waitForEvent('download'),
        button.click(),
      ]);
      assert.match(readFileSync(await download.path(), 'utf8'), content(phone));
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
      assert.deepEqual(problems, []);
      await page.reload();
      await button.waitFor();

      const other = await visit(example);
      await signIn(other, example);
      const [own] = await Promise.all([other.waitForRequest(/\/api\/me$/), other.reload()]);
      const { authorization = '' } = await own.allHeaders();
      assert.match(authorization, /^Bearer /);
      const status = async (headers: Record<string, string>) => (await fetch(asked.url(), { headers })).status;
      assert.equal(await status({ authorization }), 404);
      assert.equal(await status({ authorization: `${authorization}x` }), 401);
      assert.equal(await status({ authorization: 'Bearer a.b.c' }), 401);
      assert.equal(await status({}), 401);
    });

    it(`${name}: the back end learns of a sign-in by webhook, and takes no event without a valid signature`, async () => {
      const page = await visit(example);
      await signIn(page, example);
      await eventually(async () => {
        await page.reload();
        await page.getByRole('heading', { name: 'Files' }).waitFor();
        return (await page.getByText(/^user\.signed_in/).count()) === 1;
      });
      const secret = readFileSync(join(example.data, 'webhook-secret'), 'utf8').trim();
      const body = JSON.stringify({ id: 'e1', type: 'user.created', version: 1, timestamp: '', data: { userId: 'x' } });
      const deliver = async (sent: string) => {
        const headers = { 'content-type': 'application/json', ...signWebhook(secret, 'e1', body) };
        return (await fetch(`${example.url}/hooks/gatehouse`, { method: 'POST', headers, body: sent })).status;
      };
      assert.equal(await deliver(body), 204);
      assert.equal(await deliver(body.replace('created', 'deleted')), 400);
    });

    it(`${name}: a body that nobody reads is not taken for the next request`, async () => {
      const inner = 'GET /settings.json HTTP/1.1\r\nhost: x\r\n\r\n';
      for (const [head, body] of [
        ['GET /settings.json', inner],
        ['POST /hooks/gatehouse', `0\r\n\r\n${inner}`],
      ] as const) {
        const isPost = head.startsWith('POST');
        const length = `content-length: ${isPost ? 5 : body.length}\r\n${isPost ? 'transfer-encoding: chunked\r\n' : ''}`;
        const socket = connect({ host: 'localhost', port: Number(new URL(example.url).port) });
        socket.end(`${head} HTTP/1.1\r\nhost: x\r\n${length}\r\n${body}`);
        assert.equal((await text(socket)).match(/HTTP\/1\.1 \d/g)?.length, 1, head);
      }
    });

    it(`${name}: the secrets are in files that only the owner can read, and Ctrl-C ends every process`, async () => {
      for (const file of ['service-key', 'webhook-secret'])
        assert.equal(statSync(join(example.data, file)).mode & 0o777, 0o600, file);
      assert.equal(await example.stop(), 0, example.said());
      assert.deepEqual(example.processes(), []);
    });
  }
});
