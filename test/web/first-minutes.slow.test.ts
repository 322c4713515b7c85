// The first two minutes: from `npm start` to a picture that somebody else opens by its link.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openBrowser, watch } from '../helpers/browser/browser.ts';
import { pngOf } from '../helpers/browser/pictures.ts';
import { isolatedEnv } from '../helpers/services/gatehouse.ts';
import { type Step, startByNpm, steps, walkFirstMinutes } from './look/first-minutes.ts';

const browser = await openBrowser('engine');
const longestMilliseconds = 120_000;

describe('the first two minutes', { skip: browser === undefined }, () => {
  const here = browser ?? assert.fail();
  after(() => here.close());

  it('from npm start to a signed-in user whose picture is opened by a link in another browser takes less than two minutes', async () => {
    const { env, dispose } = await isolatedEnv('sqlite', { LOG_LEVEL: 'info' });
    const begin = performance.now();
    const service = await startByNpm(env);
    try {
      const problems: string[][] = [];
      const visit = async () => {
        const page = await here.newPage({ locale: 'en-GB', reducedMotion: 'reduce' });
        problems.push(watch(page, service.url).problems);
        return { page };
      };
      const seen: Step[] = [];
      const tell = async (step: Step) => seen.push(step);
      const link = await walkFirstMinutes({ url: service.url, visit, picture: pngOf(320, 200), tell });
      const milliseconds = performance.now() - begin;
      assert.ok(link.startsWith(`${service.url}/`), link);
      assert.deepEqual(seen, steps);
      assert.deepEqual(problems, [[], []]);
      assert.match(service.said(), /Sign in +\S+http:\/\/localhost:/);
      assert.ok(milliseconds < longestMilliseconds, `${milliseconds} ms`);
    } finally {
      await service.stop();
      await dispose();
    }
  });
});
