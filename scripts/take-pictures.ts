// Takes the screenshots of the documentation: starts the service and uses it in a real browser, in light and dark mode.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { openBrowser } from '../test/helpers/browser.ts';
import { run } from '../test/helpers/command-line.ts';
import { addNote, openNotesExample, signInToNotes } from '../test/helpers/notes-example.ts';
import { codeIn, newPhone, openPageStage, type PageStage, type Visitor } from '../test/helpers/page-stage.ts';
import { morning, pngOf } from '../test/helpers/pictures.ts';

const folder = new URL('../docs/pictures/', import.meta.url).pathname;
mkdirSync(folder, { recursive: true });

const stage = await openPageStage({ BRAND_NAME: 'Gatehouse' });
if (stage === undefined) process.exit(1);
for (const colorScheme of ['light', 'dark'] as const) {
  const size = { width: 1000, height: 700 };
  const visitor = await stage.visit({ colorScheme, viewport: size, deviceScaleFactor: 2, locale: 'en-GB' });
  await walk(stage, visitor, (name) => visitor.page.screenshot({ path: `${folder}${name}-${colorScheme}.png` }));
  await visitor.context.close();
}
await stage.close();
await takeExample();
console.log(`Pictures are in ${folder}`);

async function walk(
  { url, env, messages }: NonNullable<PageStage>,
  { page, context }: Visitor,
  take: (name: string) => Promise<unknown>,
): Promise<void> {
  const { typed, phone } = newPhone();
  await page.goto(url);
  await page.getByLabel('Phone number').fill(typed);
  await take('sign-in');
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('button', { name: /from the inbox/ }).waitFor();
  const [message] = await messages(phone);
  const code = codeIn(message ?? assert.fail());
  await page.getByLabel('Six-digit code').fill(code.slice(0, 3));
  await take('code');
  await page.getByLabel('Six-digit code').fill(code);
  await page.getByText('This device').waitFor();

  await page.getByLabel('Upload as').selectOption('image');
  const files = page.getByLabel(/Drop files here/);
  await files.setInputFiles([
    { name: 'garden.png', mimeType: 'image/png', buffer: pngOf(960, 640) },
    { name: 'harbour.png', mimeType: 'image/png', buffer: pngOf(960, 700, morning) },
  ]);
  await page.locator('.tile').nth(1).waitFor();
  const wire = await context.newCDPSession(page);
  await wire.send('Network.enable');
  const slow = { offline: false, latency: 5, downloadThroughput: -1, uploadThroughput: 900_000 };
  await wire.send('Network.emulateNetworkConditions', slow);
  await page.getByLabel('Upload as').selectOption('document');
  const text = Buffer.alloc(12 * 1024 * 1024, 'All that was said in the meeting.\n');
  await files.setInputFiles({ name: 'minutes.txt', mimeType: 'text/plain', buffer: text });
  await page.getByText(/[4-9]\.\d MB of 12 MB/).waitFor({ timeout: 30_000 });
  await page.locator('.files').scrollIntoViewIfNeeded();
  await page.evaluate('document.querySelector(".files").scrollIntoView({ block: "start" })');
  await take('account');

  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.goto(`${url}/inbox`);
  await page.locator('.bubble').waitFor();
  await take('inbox');

  const { data } = await run(env, 'admin', 'token', '--name', 'Ada', '--json');
  await page.goto(data.link);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByLabel(/Phone number or its last digits/).fill(phone.slice(-4));
  await page.keyboard.press('Enter');
  await page.locator('.rows a').first().click();
  await page.getByText('garden.png').waitFor();
  await page.evaluate('scrollTo(0, 0)');
  await take('admin');
}

/** The notebook of the example app, as a pro user sees it. */
async function takeExample(): Promise<void> {
  const browser = (await openBrowser('engine')) ?? assert.fail();
  const example = await openNotesExample();
  await example.start();
  const open = async (colorScheme: 'light' | 'dark') => {
    const size = { width: 720, height: 900 };
    const page = await browser.newPage({ colorScheme, viewport: size, deviceScaleFactor: 2, locale: 'en-GB' });
    await page.goto(example.url);
    await signInToNotes(page, example);
    return page;
  };
  await addNote(
    await open('light'),
    'The harbour at six. Shall we take this one for the cover?',
    pngOf(960, 420, morning),
  );
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await open(colorScheme);
    await addNote(page, 'The cover goes to the printer on Friday.');
    await page.getByRole('button', { name: 'Become pro' }).click();
    await page.locator('#pro').waitFor();
    await page.locator('img').waitFor();
    await page.reload();
    await page.locator('img').waitFor();
    await page.screenshot({ path: `${folder}notes-${colorScheme}.png` });
    await page.getByRole('listitem').first().getByRole('button', { name: 'Remove' }).click();
    await page.getByText('to the printer').waitFor({ state: 'detached' });
  }
  await browser.close();
  await example.close();
}
