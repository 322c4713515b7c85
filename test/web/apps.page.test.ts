// Apps on the pages, in a real browser: a user sees and removes what an app may do, and staff sees the apps.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { findViolations } from '../helpers/browser/axe.ts';
import { eventually, openPageStage, signUp } from '../helpers/browser/page-stage.ts';
import { askStore } from '../helpers/databases/raw-store.ts';
import { run } from '../helpers/services/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'apps-'));
const file = join(folder, 'apps.json');
const shop = { id: 'shop', name: 'The shop', redirectUris: ['https://shop.example/back'], firstParty: true };
writeFileSync(file, JSON.stringify([shop]));
const stage = await openPageStage({ APPS_FILE: file });

describe('apps on the pages', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(async () => {
    await here.close();
    rmSync(folder, { recursive: true });
  });

  it('the account page names the app of a session, shows what the app may do, and removes its access', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signUp(here, visitor);
    await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Apps with access' }).count(), 0);
    await askStore(
      here.env,
      `insert into app_consents select id, 'shop', 'openid files', ${Date.now()} from users returning user_id`,
    );
    const columns = Object.keys((await askStore(here.env, 'select * from sessions limit 1'))[0] ?? {});
    const changed = new Map([
      ['id', "'0192a6db-1f2e-7d0a-8c51-7b1d4d0c9a01'"],
      ['app_id', "'shop'"],
      ['app_scopes', "'openid files'"],
      ['parent_id', 'id'],
    ]);
    await askStore(
      here.env,
      `insert into sessions (${columns.join()}) select ${columns.map((name) => changed.get(name) ?? name).join()} from sessions returning id`,
    );
    await page.reload();
    const card = page.getByRole('region', { name: 'Apps with access' });
    await card.getByText('recognise your account · see, add and delete your files').waitFor();
    const sessions = page.getByRole('region', { name: 'Where you are signed in' });
    await sessions.getByText('The shop').waitFor();
    await sessions.getByRole('button', { name: /^Sign out device: .+, The shop$/ }).waitFor();
    assert.deepEqual(await findViolations(page), []);
    await card.getByRole('button', { name: 'Remove access: The shop' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove the access of The shop?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await card.getByRole('button', { name: 'Remove access: The shop' }).click();
    await dialog.getByRole('button', { name: 'Remove access' }).click();
    await card.waitFor({ state: 'detached' });
    await sessions.getByText('The shop').waitFor({ state: 'detached' });
    // The list is read again.
    await eventually(async () => (await sessions.getByRole('listitem').count()) === 1);
    assert.deepEqual(await askStore(here.env, 'select user_id from app_consents'), []);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the admin page lists the apps with their kind, scopes and addresses', async () => {
    const { data } = await run(here.env, 'admin', 'token', '--name', 'Ada', '--json');
    const visitor = await here.visit();
    visitor.forgive(403);
    const { page } = visitor;
    await page.goto(data.link.replace(/^https?:\/\/[^/]+/, here.url));
    await page.getByRole('link', { name: 'Apps' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'The shop' });
    await row.getByText('public').waitFor();
    await row.getByText('ours').waitFor();
    await row.getByText('shop · openid, phone, email, offline_access').waitFor();
    await row.getByText('https://shop.example/back').waitFor();
    assert.deepEqual(await findViolations(page), []);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });
});
