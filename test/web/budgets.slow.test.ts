// What each page may cost: bytes of script, style and page after compression, requests, and how far its content jumps.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import type { Look } from '../helpers/look/look.ts';
import { looks } from '../helpers/look/looks.ts';
import { openTour } from '../helpers/look/tour.ts';

/**
 * In KiB after gzip. `requests`: everything that the page loads before it is used, without calls of the API. `shift`: how far its content
 * may jump while it loads. 0.1 counts as good.
 */
type Budget = {
  readonly page: number;
  readonly script: number;
  readonly style: number;
  readonly requests: number;
  readonly shift: number;
};

const budgets: Readonly<Record<string, Budget>> = {
  'sign-in-empty': { page: 4, script: 25, style: 5, requests: 6, shift: 0.02 },
  'account-files': { page: 6, script: 50, style: 8, requests: 18, shift: 0.15 },
  'link-confirm': { page: 4, script: 22, style: 5, requests: 9, shift: 0.02 },
  'shared-picture': { page: 4, script: 10, style: 6, requests: 8, shift: 0.02 },
  'inbox-messages': { page: 5, script: 25, style: 8, requests: 14, shift: 0.15 },
  'admin-users': { page: 8, script: 26, style: 6, requests: 12, shift: 0.3 },
  'docs-errors': { page: 20, script: 5, style: 5, requests: 5, shift: 0.02 },
};

const tour = await openTour();

describe('the budget of a page', { skip: tour === undefined }, () => {
  const { show, close, url } = tour ?? assert.fail();
  after(close);

  for (const [name, budget] of Object.entries(budgets))
    it(`${name} stays within its bytes and requests, and its content does not jump`, async () => {
      const look = looks.find((one) => one.name === name) ?? assert.fail(`no look ${name}`);
      const spent = await measure(look);
      for (const kind of ['page', 'script', 'style', 'requests', 'shift'] as const)
        assert.ok(spent[kind] <= budget[kind], `${kind}: ${spent[kind]} of ${budget[kind]}; ${JSON.stringify(spent)}`);
      assert.ok(spent.page > 0 && spent.style > 0, 'nothing was measured');
    });

  async function measure(look: Look) {
    const sizes = { page: 0, script: 0, style: 0, requests: 0 };
    const kinds: Readonly<Record<string, 'page' | 'script' | 'style'>> = {
      document: 'page',
      script: 'script',
      stylesheet: 'style',
    };
    const weighing: Promise<void>[] = [];
    const { page } = await show(
      {
        ...look,
        show: async (scene) => {
          await scene.page.addInitScript(watchShifts);
          scene.page.on('response', (response) => {
            const request = response.request();
            if (!response.url().startsWith(url) || new URL(response.url()).pathname.startsWith('/api/')) return;
            // A page that is loaded again counts once.
            if (request.isNavigationRequest() && request.frame() === scene.page.mainFrame())
              Object.assign(sizes, { page: 0, script: 0, style: 0, requests: 0 });
            sizes.requests += 1;
            const kind = kinds[request.resourceType()];
            if (kind === undefined) return;
            const add = (bytes: Buffer) => {
              sizes[kind] += gzipSync(bytes).length / 1024;
            };
            weighing.push(response.body().then(add, () => undefined));
          });
          await look.show(scene);
        },
      },
      'en',
    );
    await Promise.all(weighing);
    return { ...sizes, shift: await readShift(page) };
  }
});

/** A move within half a second of a click or a key is the answer to it, and does not count. */
const watchShifts = `window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts.push(value);
}).observe({ type: 'layout-shift', buffered: true });`;

function readShift(page: Page): Promise<number> {
  return page.evaluate('window.shifts.reduce((sum, value) => sum + value, 0)');
}
