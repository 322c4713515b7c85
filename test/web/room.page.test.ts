// Room for files on the account page: the service decides what fits, and the page shows what has made way.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { findViolations } from '../helpers/browser/axe.ts';
import { eventually, openPageStage, signUp, type Visitor } from '../helpers/browser/page-stage.ts';
import { chooseAction } from './account-pages.ts';

const stage = await openPageStage({ FILE_QUOTA: '3MiB' });

describe('room for files on the account page', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  const textFile = (name: string, bytes = 1_400_000) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.alloc(bytes, `a line of ${name}\n`),
  });
  const signIn = async () => {
    const visitor = await here.visit();
    await signUp(here, visitor);
    return visitor;
  };
  const choose = ({ page }: Pick<Visitor, 'page'>, ...files: readonly ReturnType<typeof textFile>[]) =>
    page.getByLabel(/Drop files here/).setInputFiles([...files]);
  const store = async (visitor: Visitor, ...names: readonly string[]) => {
    await choose(visitor, ...names.map((name) => textFile(name)));
    for (const name of names) await visitor.page.getByRole('link', { name: `Download: ${name}` }).waitFor();
  };

  it('a file has the room that was made in another tab, and a refused one says so and can be tried again when there is room', async () => {
    const visitor = await signIn();
    visitor.forgive(403);
    const { page } = visitor;
    await store(visitor, 'one.txt', 'two.txt');
    const tab = await visitor.context.newPage();
    await tab.goto(page.url());
    for (const name of ['one.txt', 'two.txt']) {
      await chooseAction(tab, name, 'Delete');
      await tab.getByText(`${name} has been deleted.`).waitFor();
    }
    await choose(visitor, textFile('three.txt'));
    await page.getByRole('link', { name: 'Download: three.txt' }).waitFor();
    // Of the deleted files, the oldest has made way.
    await page.getByText('1.3 MB of 3 MB used · 1.3 MB in deleted files').waitFor();
    await choose({ page: tab }, textFile('four.txt'));
    await tab.getByRole('link', { name: 'Download: four.txt' }).waitFor();
    await choose(visitor, textFile('five.txt'));
    const refused = page.locator('.upload.bad', { hasText: 'five.txt' });
    await refused.getByText('You do not have enough storage space left for this file.').waitFor();
    await page.getByText('2.7 MB of 3 MB used').waitFor();
    await chooseAction(tab, 'four.txt', 'Delete');
    await tab.getByText('four.txt has been deleted.').waitFor();
    await page.getByRole('button', { name: 'Try again: five.txt' }).click();
    await page.getByRole('link', { name: 'Download: five.txt' }).waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('a deleted file that made way for an upload leaves the trash, and a try to undo the deletion says that it is gone for good', async () => {
    const visitor = await signIn();
    visitor.forgive(404);
    const { page } = visitor;
    await store(visitor, 'one.txt', 'two.txt');
    await chooseAction(page, 'one.txt', 'Delete');
    await page.locator('summary', { hasText: 'Deleted files' }).waitFor();
    await store(visitor, 'three.txt');
    await page.locator('.trash').waitFor({ state: 'detached' });
    const tile = page.locator('.tile.deleted');
    await tile.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await tile.getByText('one.txt can no longer be restored. It has been deleted permanently.').waitFor();
    assert.equal(await tile.getByRole('button').count(), 0);
    await eventually(() => page.evaluate('document.activeElement === document.querySelector(".tile.deleted")'));
    assert.deepEqual(await findViolations(page), []);
    await page.reload();
    await page.getByRole('link', { name: 'Download: three.txt' }).waitFor();
    assert.equal(await page.locator('.tile').count(), 2);
    await chooseAction(page, 'three.txt', 'Delete');
    await page.locator('summary', { hasText: 'Deleted files' }).click();
    await page.getByRole('button', { name: 'Delete permanently: three.txt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
    await tile.waitFor({ state: 'detached' });
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });
});
