// The client in a real browser: tabs that renew side by side, and sign-outs that reach all of them.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/page-stage.ts';
import { openTabStage, signInAt } from './tabs.ts';

const stage = await openTabStage({ ACCESS_TOKEN_LIFE: '2s' });

describe('the client in a browser', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  const renewTogether = async (pages: readonly Page[], renewals: readonly number[], wanted: number) => {
    while (renewals.length < wanted) await Promise.all(pages.map((page) => page.evaluate(renewTenTimes)));
  };

  it('renews 200 times in two tabs, with cookies: no failure, nobody signed out', async () => {
    const { context, pages, renewals, problems } = await here.openTabs(2, 'cookie');
    const [first, second] = pages as [Page, Page];
    const phone = await signInAt(here, first);
    await renewTogether(pages, renewals, 200);
    assert.deepEqual(new Set(renewals), new Set([200]));
    await second.waitForTimeout(2200);
    const before = renewals.length;
    const seen = await Promise.all(pages.map((page) => page.evaluate(async () => (await gatehouse.me()).phone)));
    assert.deepEqual(seen, [phone, phone]);
    assert.equal(renewals.length - before, 1);
    assert.deepEqual(await Promise.all(pages.map((page) => page.evaluate(() => told))), [['signed-in'], ['signed-in']]);
    const readable = await first.evaluate(() => `${document.cookie} ${JSON.stringify(localStorage)}`);
    assert.doesNotMatch(readable, /eyJ|JWT|RT/);
    assert.deepEqual(problems(), []);
    await context.close();
  });

  it('renews side by side in header mode, and where there are no Web Locks', async () => {
    const withoutLocks = () => Object.defineProperty(navigator, 'locks', { value: undefined });
    for (const prepare of [undefined, withoutLocks]) {
      const { context, pages, renewals, problems } = await here.openTabs(2, 'header', { prepare });
      const phone = await signInAt(here, pages[0] ?? assert.fail());
      await renewTogether(pages, renewals, 30);
      assert.deepEqual(new Set(renewals), new Set([200]));
      for (const page of pages) assert.equal(await page.evaluate(async () => (await gatehouse.me()).phone), phone);
      assert.deepEqual(problems(), []);
      await context.close();
    }
  });

  it('tells of a sign-out once in every tab', async () => {
    for (const mode of ['cookie', 'header'] as const) {
      const { context, pages } = await here.openTabs(3, mode);
      await signInAt(here, pages[0] ?? assert.fail());
      await pages[1]?.evaluate(() => gatehouse.logOut());
      const toldEverywhere = () => Promise.all(pages.map((page) => page.evaluate(() => told.join())));
      await eventually(async () => (await toldEverywhere()).every((told) => told.includes('logged-out')));
      await Promise.all(pages.map((page) => page.evaluate(() => gatehouse.me().catch(() => undefined))));
      assert.deepEqual(new Set(await toldEverywhere()), new Set(['signed-in,logged-out']));
      await context.close();
    }
  });
});

// What follows runs in the tab.

async function renewTenTimes(): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await gatehouse.refresh();
    await gatehouse.me();
  }
}
