// Looking at a sign-in link without using it: who owns it, masked, and whether this browser asked for it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkLink } from '../../../src/auth/links/check-link.ts';
import { sha256 } from '../../../src/kernel/crypto/digest.ts';
import { createAuthStage, failureOf } from '../../helpers/people/auth-fakes.ts';
import { asEmail } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const token = 'x'.repeat(43);
const found = {
  address: asEmail('Ann@example.com'),
  browserHash: sha256('browser'),
  isExpired: false,
  authorizationTicket: 'ticket',
};
const stageOf = (link: typeof found | undefined) => createAuthStage({ links: { findLink: async () => link } });

describe('looking at a sign-in link', () => {
  for (const [browser, isSameBrowser] of [
    ['browser', true],
    ['another browser', false],
    ['', false],
    [undefined, false],
  ] as const) {
    it(`a link shows its owner masked, and ${isSameBrowser ? 'the browser' : 'not the browser'} ${JSON.stringify(browser)} asked for it`, async () => {
      const { deps, calls } = stageOf(found);
      assert.deepEqual(await checkLink(deps, token, browser), {
        account: 'A•••@example.com',
        isSameBrowser,
        authorizationTicket: 'ticket',
      });
      assert.deepEqual(calls, [['links.findLink', { tokenHash: sha256(token), now: noon }]]);
    });
  }

  it('a link that is not known is invalid, and one that has expired says so', async () => {
    assert.deepEqual(await failureOf(checkLink(stageOf(undefined).deps, token, undefined)), ['LINK_INVALID', {}]);
    const expired = stageOf({ ...found, isExpired: true });
    assert.deepEqual(await failureOf(checkLink(expired.deps, token, 'browser')), [
      'LINK_EXPIRED',
      { authorizationTicket: 'ticket' },
    ]);
  });

  it('a text that is no link token is refused without the store', async () => {
    const { deps, calls } = createAuthStage();
    assert.deepEqual(await failureOf(checkLink(deps, 'x'.repeat(42), undefined)), ['LINK_INVALID', {}]);
    assert.deepEqual(calls, []);
  });
});
