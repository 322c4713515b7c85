// The pages in languages that are written from left to right and from right to left, and the switch between them.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { textsIn } from '../../src/kernel/text/texts.ts';
import { findViolations } from '../helpers/browser/axe.ts';
import { codeIn, newPhone, openPageStage, type Visitor } from '../helpers/browser/page-stage.ts';

const stage = await openPageStage();
const arabic = textsIn('ar').pages;
const ukrainian = textsIn('uk').pages;

describe('the pages in every direction', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  it('in Arabic a user signs in on mirrored pages that fit a small screen, and gets the code in Arabic', async () => {
    const visitor = await here.visit({ locale: 'ar', viewport: { width: 320, height: 640 } });
    const { page } = visitor;
    await page.goto(here.url);
    await page.getByRole('heading', { name: arabic['sign-in'].title }).waitFor();
    assert.deepEqual(await readRoot(page), { lang: 'ar', dir: 'rtl' });
    await checkLook(page);
    const [brand, place] = [await boxOf(page, '.brand'), await boxOf(page, '.top nav')];
    assert.ok(brand.x > place.x, 'the brand is not on the right');
    assert.equal(await page.locator('input[name="phone"]').evaluate(readDirection), 'ltr');
    const { phone } = newPhone();
    await page.locator('input[name="phone"]').fill(phone);
    await page.getByRole('button', { name: arabic['sign-in'].sendCode }).click();
    const input = page.getByLabel(arabic['sign-in'].code);
    await input.waitFor();
    assert.equal(await input.evaluate(readDirection), 'ltr');
    await checkLook(page);
    const [message = assert.fail()] = await here.messages(phone);
    assert.match(message.text, /^رمز /);
    await input.fill(codeIn(message));
    await page.getByText(arabic.account.thisDevice).waitFor();
    await checkLook(page);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the language switch keeps the step and what was typed, and the choice stays on every page', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await page.goto(here.url);
    const { typed, phone } = newPhone();
    await page.locator('input[name="phone"]').fill(typed);
    await choose(page, 'Language', 'ar');
    await page.getByRole('heading', { name: arabic['sign-in'].title }).waitFor();
    assert.equal(await page.locator('input[name="phone"]').inputValue(), typed);
    await page.getByRole('button', { name: arabic['sign-in'].sendCode }).click();
    await page.getByLabel(arabic['sign-in'].code).waitFor();
    await choose(page, arabic.common.language, 'uk');
    await page.getByRole('heading', { name: ukrainian['sign-in'].codeTitle }).waitFor();
    assert.deepEqual(await readRoot(page), { lang: 'uk', dir: 'ltr' });
    const [message = assert.fail()] = await here.messages(phone);
    await page.getByLabel(ukrainian['sign-in'].code).fill(codeIn(message));
    await page.getByText(ukrainian.account.thisDevice).waitFor();
    await page.goto(`${here.url}/inbox`);
    await page.getByRole('heading', { name: ukrainian.inbox.title }).waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the language cookie lasts a year, is sent to this site only, and holds nothing but the language', async () => {
    const visitor = await here.visit();
    await visitor.page.goto(here.url);
    await choose(visitor.page, 'Language', 'uk');
    await visitor.page.getByRole('heading', { name: ukrainian['sign-in'].title }).waitFor();
    const cookie = (await visitor.context.cookies()).find(({ name }) => name === 'gatehouse_lang');
    const { value, sameSite, path, expires } = cookie ?? assert.fail('no cookie');
    assert.deepEqual({ value, sameSite, path }, { value: 'uk', sameSite: 'Lax', path: '/' });
    assert.ok(expires > Date.now() / 1000 + 364 * 86_400);
    await visitor.context.close();
  });

  it('the pages that a link opens keep the link when the language changes', async () => {
    const visitor = await here.visit();
    visitor.forgive(400, 401, 404, 410);
    await visitor.page.goto(`${here.url}/not-me#${'x'.repeat(43)}`);
    await visitor.page.getByRole('button', { name: 'Sign out every device' }).waitFor();
    await choose(visitor.page, 'Language', 'ar');
    await visitor.page.getByRole('button', { name: arabic['not-me'].button }).waitFor();
    assert.equal(new URL(visitor.page.url()).hash, '');
    await visitor.context.close();
  });

  it('the language switch is reached and used by keyboard', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await page.goto(here.url);
    await focusByTab(visitor, 'Language');
    // The last language of the list.
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: ukrainian['sign-in'].title }).waitFor();
    await visitor.context.close();
  });
});

async function choose(page: Page, label: string, language: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).selectOption(language);
}

async function focusByTab({ page }: Visitor, label: string): Promise<void> {
  for (let presses = 0; presses < 30; presses++) {
    if ((await page.evaluate('document.activeElement.ariaLabel')) === label) return;
    await page.keyboard.press('Tab');
  }
  assert.fail('no key press reached the language switch');
}

function readRoot(page: Page): Promise<{ lang: string; dir: string }> {
  return page.evaluate('({ lang: document.documentElement.lang, dir: document.documentElement.dir })');
}

async function boxOf(page: Page, selector: string): Promise<{ x: number; width: number }> {
  return (await page.locator(selector).first().boundingBox()) ?? assert.fail(`${selector} is not shown`);
}

type View = { getComputedStyle(of: unknown): { readonly direction: string } };

const readDirection = (input: unknown) => (globalThis as unknown as View).getComputedStyle(input).direction;

/** Nothing is wider than the page, and axe finds nothing. */
async function checkLook(page: Page): Promise<void> {
  const root = 'document.documentElement';
  assert.equal(await page.evaluate(`${root}.scrollWidth <= ${root}.clientWidth`), true, 'the page scrolls sideways');
  assert.deepEqual(await findViolations(page), []);
}
