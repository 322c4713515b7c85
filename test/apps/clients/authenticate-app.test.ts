// Which app a request comes from: the secret must be right, and an app without a secret must send none.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authenticateApp } from '../../../src/apps/clients/authenticate-app.ts';
import { createAppStage, foreign, shop } from '../../helpers/people/app-fakes.ts';

describe('the app of a request', () => {
  const { deps } = createAppStage();
  const cases: [what: string, appId: string, secret: string | undefined, found: string | undefined][] = [
    ['an app with its secret', shop.id, 'the secret of the shop', shop.id],
    ['an app with a wrong secret', shop.id, 'the secret of the Shop', undefined],
    ['an app with an empty secret', shop.id, '', undefined],
    ['an app that leaves its secret out', shop.id, undefined, undefined],
    ['an app that has no secret', foreign.id, undefined, foreign.id],
    ['an app that has no secret and sends one', foreign.id, 'any', undefined],
    ['an app that has no secret and sends an empty one', foreign.id, '', undefined],
    ['an unknown app', 'unknown', undefined, undefined],
    ['an unknown app with a secret', 'unknown', 'the secret of the shop', undefined],
  ];
  for (const [what, appId, secret, found] of cases) {
    it(`${what} is ${found === undefined ? 'refused' : 'found'}`, () => {
      assert.equal(authenticateApp(deps, { appId, secret })?.id, found);
    });
  }
});
