// The notebook example: starts it, signs users in and writes notes.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { codeIn, newPhone, readMessages } from '../browser/page-stage.ts';
import { openExample } from './example.ts';

export const openNotesExample = () => openExample('notes');

/** Signs a new user in, by keyboard alone: the page puts the focus where the user types next. Returns the phone number. */
export async function signInToNotes(page: Page, { gatehouseUrl }: { readonly gatehouseUrl: string }): Promise<string> {
  const { phone } = newPhone();
  await page.getByLabel('Phone number').waitFor();
  await page.keyboard.type(phone);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code from the SMS').waitFor();
  const [message] = await readMessages(gatehouseUrl, phone);
  await page.keyboard.type(codeIn(message ?? assert.fail()));
  await page.keyboard.press('Enter');
  await page.getByLabel('New note').waitFor();
  return phone;
}

/** The picture is a PNG. */
export async function addNote(page: Page, text: string, picture?: Buffer): Promise<void> {
  await page.getByLabel('New note').fill(text);
  const file = { name: 'picture.png', mimeType: 'image/png', buffer: picture ?? Buffer.alloc(0) };
  if (picture !== undefined) await page.getByLabel('Picture (optional)').setInputFiles(file);
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByText(text).waitFor();
}
