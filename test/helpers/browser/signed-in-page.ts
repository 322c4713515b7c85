// A page of the service's own origin whose user is signed in by cookies, as in a web app.

import type { BrowserContext, Page } from 'playwright-core';
import { newPhone, type Pair, readCode } from '../requests/api.ts';

/** Opens the API reference and signs in by its fetch. The browser, which may use another name of the service, keeps the cookies. */
export async function openSignedIn(
  context: BrowserContext,
  url: string,
  origin = url,
): Promise<{ page: Page; pair: Pair }> {
  const page = await context.newPage();
  await page.goto(`${origin}/docs`);
  const phone = newPhone();
  await postInPage(page, '/api/auth/phone/send/otp', { recipient: phone });
  const pair = await postInPage(page, '/api/auth/phone/login', { phone, otp: await readCode(url, phone) });
  return { page, pair: pair as Pair };
}

function postInPage(page: Page, path: string, body: unknown): Promise<unknown> {
  return page.evaluate(`(async () => {
    const headers = { 'content-type': 'application/json', 'captcha-token': 'any' };
    const response = await fetch(${JSON.stringify(path)}, { method: 'POST', headers, body: ${JSON.stringify(JSON.stringify(body))} });
    const envelope = await response.json();
    if (!envelope.success) throw new Error(envelope.message);
    return envelope.data;
  })()`);
}

/** An empty page without a policy, which the service never sends. Anything blocked on it is blocked by the headers of the files. */
export async function openBlank(page: Page, url: string, html = ''): Promise<void> {
  const address = `${url}/blank`;
  const body = `<!doctype html><link rel="icon" href="data:,">${html}`;
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(address);
  await page.unroute(address);
}
