// The service keys on the admin page, in a real browser: created with a reason, shown once, copied, rotated and revoked.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { findViolations } from '../helpers/browser/axe.ts';
import { openPageStage } from '../helpers/browser/page-stage.ts';
import { outcomeOf } from '../helpers/people/users.ts';
import { call } from '../helpers/requests/api.ts';
import { run } from '../helpers/services/command-line.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const stage = await openPageStage();

describe('the service keys on the admin page', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());
  const use = (key: string) => call(here.url, 'GET', '/api/service/events', { token: key }).then(outcomeOf);

  it('staff creates, copies, rotates and revokes a key, and the page does not show it again', async () => {
    const { data } = await run(here.env, 'admin', 'token', '--name', 'Ada', '--json');
    const visitor = await here.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    visitor.forgive(403);
    const { page } = visitor;
    await page.goto(data.link.replace(/^https?:\/\/[^/]+/, here.url));
    await page.getByRole('link', { name: 'Service keys' }).click();
    await page.getByText('No service keys.').waitFor();
    const create = page.getByRole('button', { name: 'Create key' });
    await page.getByLabel('What uses the key').fill('shop');
    assert.ok(await create.isDisabled(), 'a scope and a reason are missing');
    await page.getByRole('checkbox', { name: 'events:read' }).check();
    await page.getByLabel('Ends after').selectOption('30 days');
    await page.getByLabel('Reason').fill('ticket 1');
    await create.click();
    await page.getByText('This key is shown only once.').waitFor();
    const key = await page.locator('.new-key').innerText();
    assert.equal(await use(key), '200');
    assert.deepEqual(await findViolations(page), []);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);

    const act = async (name: string, reason: string) => {
      await page.getByRole('button', { name: `${name}: shop ${key.slice(4, 16)}` }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill(reason);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await act('Rotate key', 'yearly');
    await page.locator('.new-key', { hasNotText: key }).waitFor();
    const next = await page.locator('.new-key').innerText();
    await page.locator('.rows li').nth(1).waitFor();
    await act('Revoke key', 'replaced');
    await page.locator('.rows').getByText('revoked').waitFor();
    await waitUntil('the refusal', async () => (await use(key)) === '403 SERVICE_KEY_INVALID');
    assert.equal(await use(next), '200');

    await page.reload();
    await page.locator('.rows li').nth(1).waitFor();
    const content = await page.content();
    for (const text of [key, next]) assert.ok(!content.includes(text.slice(17)));
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('Service key revoked').waitFor();
    await page.getByText('replaced').waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });
});
