// Two tabs whose access tokens expire all the time: the user stays signed in, and nothing fails.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openPageStage, shownPhone, signUp } from '../helpers/browser/page-stage.ts';

const stage = await openPageStage({ ACCESS_TOKEN_LIFE: '4s' }, 'apart');

describe('two tabs with an access token of four seconds', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  it('two tabs with access tokens of four seconds renew them and stay signed in', async () => {
    const visitor = await here.visit();
    visitor.forgive(401);
    const { page, context } = visitor;
    const phone = await signUp(here, visitor);
    const second = await context.newPage();
    await second.goto(`${here.url}/account`);
    await second.getByText(shownPhone(phone)).waitFor();
    let renewals = 0;
    context.on('response', (response) => {
      if (response.url().endsWith('/api/auth/refresh-token')) renewals += 1;
    });
    while (renewals < 6) {
      await Promise.all([page, second].map((tab) => tab.reload()));
      await Promise.all([page, second].map((tab) => tab.getByText(shownPhone(phone)).waitFor()));
      await page.waitForTimeout(700);
    }
    assert.deepEqual(
      [page, second].map((tab) => new URL(tab.url()).pathname),
      ['/account', '/account'],
    );
    assert.deepEqual(visitor.problems(), []);
    await context.close();
  });
});
