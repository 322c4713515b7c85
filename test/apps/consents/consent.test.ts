// The rules of consents: they only grow, and their events.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addConsent, consentedEvent, withdrawnEvents } from '../../../src/apps/consents/consent.ts';
import { asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { noon } from '../../helpers/store/fixtures.ts';

describe('a consent', () => {
  const given = { userId: asUserId('ann'), appId: 'shop', scopes: ['phone', 'openid'], now: noon } as const;

  it('adds to what was allowed before, in the order of the list', () => {
    assert.deepEqual(addConsent(undefined, given), ['openid', 'phone']);
    assert.deepEqual(addConsent({ scopes: ['email', 'openid'] }, given), ['openid', 'phone', 'email']);
  });

  it('is written down with its scopes', () => {
    const detail = { app: 'shop', scopes: 'openid phone' };
    assert.deepEqual(consentedEvent(given), { kind: 'app.consented', userId: 'ann', detail, now: noon });
  });

  it('is written down with the end of its sessions when it is withdrawn, unless there was nothing to withdraw', () => {
    const detail = { app: 'shop', sessions: 1 };
    const event = { kind: 'app.withdrawn', userId: 'ann', detail, now: noon };
    const ended = { ...event, kind: 'session.ended', detail: { session: 's', sessions: 1, reason: 'revoked' } };
    assert.deepEqual(withdrawnEvents(given, false, [asSessionId('s')]), [event, ended]);
    assert.deepEqual(withdrawnEvents(given, true, []), [{ ...event, detail: { ...detail, sessions: 0 } }]);
    assert.deepEqual(withdrawnEvents(given, false, []), []);
  });
});
