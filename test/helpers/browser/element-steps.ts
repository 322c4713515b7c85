// The steps of <gatehouse-sign-in> as a user takes them by keyboard, on the page of any app.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { waitUntil } from '../wait-until.ts';
import { codeIn, newPhone, readMessages } from './page-stage.ts';

/** Enters a new number. Returns it once the page asks for the code. */
export async function askForCode(page: Page): Promise<string> {
  const { typed, phone } = newPhone();
  await page.getByLabel('Phone number').fill(typed);
  await page.keyboard.press('Enter');
  await page.getByLabel('Six-digit code').waitFor();
  return phone;
}

/** The code of the newest message, when so many have arrived: a message leaves after the answer of the call that asked for it. */
export async function codeFor(url: string, phone: string, messages = 1): Promise<string> {
  const [newest = assert.fail()] = await waitUntil(`${messages} messages`, async () => {
    const all = await readMessages(url, phone);
    return all.length >= messages ? all : undefined;
  });
  return codeIn(newest);
}

/** Enters the number and its code. The caller waits for what the app shows then. */
export async function signIn(page: Page, url: string): Promise<string> {
  const phone = await askForCode(page);
  await page.getByLabel('Six-digit code').fill(await codeFor(url, phone));
  return phone;
}
