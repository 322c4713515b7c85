// The client in a real browser: tabs that refresh in parallel, and sign-outs that reach all of them.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../helpers/browser/page-stage.ts';
import { openTabStage, signInAt } from '../helpers/client/tabs.ts';

const stage = await openTabStage({ ACCESS_TOKEN_LIFE: '5s' });

describe('the client in a browser', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  const renewTogether = async (pages: readonly Page[], renewals: readonly number[], wanted: number) => {
    while (renewals.length < wanted) await Promise.all(pages.map((page) => page.evaluate(renewTenTimes)));
  };

  it('the client refreshes 200 times in two tabs with cookies without a failure or a sign-out', async () => {
    const { context, pages, renewals, problems } = await here.openTabs(2, 'cookie');
    const [first, second] = pages as [Page, Page];
    const phone = await signInAt(here, first);
    await renewTogether(pages, renewals, 200);
    assert.deepEqual(new Set(renewals), new Set([200]));
    await second.waitForTimeout(5200);
    const seen = await Promise.all(pages.map((page) => page.evaluate(async () => (await gatehouse.me()).phone)));
    assert.deepEqual(seen, [phone, phone]);
    assert.deepEqual(await Promise.all(pages.map((page) => page.evaluate(() => events))), [
      ['signed-in'],
      ['signed-in'],
    ]);
    const readable = await first.evaluate(() => `${document.cookie} ${JSON.stringify(localStorage)}`);
    // Every access token begins like the others, and every refresh token of one session too.
    const held = (await context.cookies()).filter(({ name }) => name === 'JWT' || name === 'RT');
    assert.deepEqual(held.map(({ name }) => name).sort(), ['JWT', 'RT']);
    for (const { name, value } of held)
      assert.ok(!readable.includes(value.slice(0, 24)), `${name} can be read by scripts`);
    assert.deepEqual(problems(), []);
    await context.close();
  });

  it('a tab takes over the tokens that another tab has refreshed', async () => {
    const { context, pages, renewals } = await here.openTabs(2, 'cookie');
    const [first, second] = pages as [Page, Page];
    await signInAt(here, first);
    const rounds = 10;
    for (let round = 0; round < rounds; round++) {
      await first.evaluate(ageToken);
      await second.waitForFunction(isAged);
      await Promise.all(pages.map((page) => page.evaluate(() => gatehouse.me())));
      // The renewal runs beside the calls.
      for (const page of pages) await eventually(async () => !(await page.evaluate(isAged)));
    }
    // A tab sees what another tab writes a moment late, so sometimes both refresh. The service tolerates that. Tabs that take over
    // nothing would refresh twice in each round.
    assert.ok(renewals.length >= rounds && renewals.length < rounds * 1.8, `${renewals.length} renewals`);
    await context.close();
  });

  it('tabs refresh in parallel in header mode, and without Web Locks', async () => {
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

  it('a sign-out is reported once in every tab', async () => {
    for (const mode of ['cookie', 'header'] as const) {
      const { context, pages } = await here.openTabs(3, mode);
      await signInAt(here, pages[0] ?? assert.fail());
      await pages[1]?.evaluate(() => gatehouse.signOut());
      const eventsEverywhere = () => Promise.all(pages.map((page) => page.evaluate(() => events.join())));
      await eventually(async () => (await eventsEverywhere()).every((events) => events.includes('logged-out')));
      await Promise.all(pages.map((page) => page.evaluate(() => gatehouse.me().catch(() => undefined))));
      assert.deepEqual(new Set(await eventsEverywhere()), new Set(['signed-in,logged-out']));
      await context.close();
    }
  });
});

// The functions below run in the tab.

/** As if four fifths of its life had passed. */
function ageToken(): void {
  const key = 'gatehouse:';
  localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key) ?? ''), refreshAt: 0 }));
}

function isAged(): boolean {
  return JSON.parse(localStorage.getItem('gatehouse:') ?? '{}').refreshAt === 0;
}

async function renewTenTimes(): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await gatehouse.refresh();
    await gatehouse.me();
  }
}
