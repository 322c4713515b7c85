// What users do on the account and sign-in pages in several tests: add an address, change the number, ask for a link, read messages.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { codeIn, type PageStage, shownPhone, signInLink, type Visitor } from '../helpers/browser/page-stage.ts';
import { askStore } from '../helpers/databases/raw-store.ts';
import { waitUntil } from '../helpers/wait-until.ts';

type Stage = NonNullable<PageStage>;

/** The newest code to this recipient, after so many codes were sent. A notice is not a code. */
export async function newestCode({ messages }: Stage, to: string, count = 1): Promise<string> {
  const codes = await waitUntil(`${count} codes for ${to}`, async () => {
    const found = (await messages(to)).filter(({ text }) => !text.includes('#') || /^@\S+ #\d{6}$/m.test(text));
    return found.length >= count ? found : undefined;
  });
  return codeIn(codes[0] ?? assert.fail());
}

/** The link of the newest notice to this recipient, after so many notices were sent. */
export async function noticeLink({ messages }: Stage, to: string, count = 1): Promise<string> {
  const links = await waitUntil(`${count} notices for ${to}`, async () => {
    const found = (await messages(to)).flatMap(({ text }) => /https?:\/\/\S+\/not-me#\S+/.exec(text)?.[0] ?? []);
    return found.length >= count ? found : undefined;
  });
  return links[0] ?? assert.fail();
}

/** Adds an e-mail address on the account page. */
export async function addEmail(stage: Stage, { page }: Visitor, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Add e-mail address' }).click();
  await page.getByLabel('New e-mail address').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Six-digit code').fill(await newestCode(stage, email));
  await page.getByText('The e-mail address has been added to your account.').waitFor();
  await page.locator('dd', { hasText: email }).waitFor();
}

/** Chooses an action in the menu of a stored file. */
export async function chooseAction(page: Page, file: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More actions: ${file}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Asks for a sign-in link on the sign-in page. */
export async function askForLink(stage: Stage, { page }: Visitor, email: string): Promise<string> {
  await page.goto(`${stage.url}/#email`);
  return requestLink(stage, { page }, email);
}

/** The e-mail form is open. */
export async function requestLink({ url }: Stage, { page }: Pick<Visitor, 'page'>, email: string) {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
  return signInLink(url, email);
}

/** Opens the form for a new number by the named button and sends the code. */
export async function askForNumber({ page }: Visitor, button: string, phone: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.getByLabel('New phone number').fill(phone);
  await page.getByRole('button', { name: 'Send code' }).click();
}

/** Enters the code for the new number, which was sent to it. */
export async function confirmNumber(stage: Stage, { page }: Visitor, phone: string, count = 1): Promise<void> {
  await page.getByText(`We sent a code to ${shownPhone(phone)}.`).waitFor();
  await page.getByLabel('Six-digit code').fill(await newestCode(stage, phone, count));
}

/** Signs in, or up, with this number on the sign-in page, up to the answer to the code. */
export async function enterCodeOf(stage: Stage, { page }: Visitor, phone: string, count = 1): Promise<void> {
  await page.goto(stage.url);
  await page.getByLabel('Phone number').fill(phone);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Six-digit code').fill(await newestCode(stage, phone, count));
}

/** As if every user had signed in an hour ago: the next access token says so. */
export async function growOld({ env }: Stage, { context }: Visitor): Promise<void> {
  await askStore(env, 'update sessions set proved_at = proved_at - 3600000');
  await context.clearCookies({ name: 'JWT' });
}

/** As if nobody had used the account of this number for a year. */
export async function fallAsleep({ env }: Stage, phone: string): Promise<void> {
  const year = 365 * 24 * 3_600_000;
  const user = `select id from users where phone = '${phone}'`;
  await askStore(env, `update sessions set last_used_at = last_used_at - ${year} where user_id in (${user})`);
  await askStore(
    env,
    `update users set created_at = created_at - ${year}, seen_at = seen_at - ${year} where phone = '${phone}'`,
  );
}

/** The id of the account in this browser. */
export async function userId({ url }: Stage, { page }: Visitor): Promise<string> {
  const { data } = (await (await page.request.get(`${url}/api/auth/me`)).json()) as { data: { id: string } };
  return data.id;
}
