// “This was not me”: the sessions that ended are refused on this node at once, and every other outcome is a failure.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashNoticeToken } from '../../../src/auth/notices/notice.ts';
import type { NotMe, NotMeOutcome } from '../../../src/auth/notices/notice-link.ts';
import { reportNotMe } from '../../../src/auth/notices/report-not-me.ts';
import { createAuthStage, failureOf, givenTo } from '../../helpers/people/auth-fakes.ts';
import { asSessionId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

const token = 'A'.repeat(32);
const stageOf = (outcome: NotMeOutcome) =>
  createAuthStage({ notices: { redeemNotice: async () => outcome }, revocations: { add: () => undefined } });

describe('a report that a change was not the user’s', () => {
  it('a report ends the sessions, then revokes their access tokens on this node', async () => {
    const { deps, calls } = stageOf({ kind: 'ended', sessionIds: ['a', 'b'].map(asSessionId) });
    assert.equal(await reportNotMe(deps, { token, language: 'de' }), undefined);
    const { cancelled, ...given } = givenTo<NotMe>(calls, 'notices.redeemNotice');
    assert.deepEqual(given, { tokenHash: hashNoticeToken(token), now: noon });
    const prepared = [cancelled?.sms.message.payload, cancelled?.mail.message.payload];
    for (const payload of prepared)
      assert.deepEqual([payload?.topic, payload?.language], ['phone-change-cancelled', 'de']);
    assert.deepEqual(calls.slice(1), [['revocations.add', ['a', 'b']]]);
  });

  it('a report that cancels a change of the number wakes the delivery of the notices', async () => {
    const { deps, calls } = stageOf({ kind: 'ended', sessionIds: [], hasCancelled: true });
    await reportNotMe(deps, { token, language: 'de' });
    assert.deepEqual(calls.at(-1), ['wakeDelivery', undefined]);
  });

  it('a report whose old number another account has ends the sessions, and says that the number is taken', async () => {
    const { deps, calls } = stageOf({ kind: 'taken', sessionIds: ['a'].map(asSessionId) });
    assert.deepEqual(await failureOf(reportNotMe(deps, { token, language: 'de' })), ['PHONE_TAKEN', {}]);
    assert.deepEqual(calls.at(-1), ['revocations.add', ['a']]);
  });

  for (const [kind, code] of [
    ['expired', 'LINK_EXPIRED'],
    ['lost', 'LINK_INVALID'],
  ] as const) {
    it(`a report with a link that is ${kind} fails with ${code}, and revokes nothing`, async () => {
      const { deps, calls } = stageOf({ kind });
      assert.deepEqual(await failureOf(reportNotMe(deps, { token, language: 'de' })), [code, {}]);
      assert.equal(calls.length, 1);
    });
  }

  it('a report with junk is refused before the store is asked', async () => {
    const { deps, calls } = stageOf({ kind: 'lost' });
    for (const junk of ['', 'x', 'A'.repeat(43)])
      assert.deepEqual(await failureOf(reportNotMe(deps, { token: junk, language: 'de' })), ['LINK_INVALID', {}]);
    assert.deepEqual(calls, []);
  });
});
