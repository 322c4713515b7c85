// The service's own captcha in a real browser: solved silently in a worker while the user types.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openPageStage, signUp } from '../helpers/browser/page-stage.ts';

const stage = await openPageStage({ CAPTCHA_URL: 'altcha:' });

describe('the captcha of the sign-in page', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  it('the captcha of the sign-in page is solved in a worker without user action', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(new URL(worker.url()).pathname));
    await signUp(here, visitor);
    assert.match(workers.join(), /^\/assets\/captcha-worker-\w+\.js$/);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });
});
