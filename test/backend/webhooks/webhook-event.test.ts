// Webhook events: which audit events apps receive, under which type, and with which data.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  webhookKinds,
  webhookTypeOf,
  writeTestWebhook,
  writeWebhook,
} from '../../../src/backend/webhooks/webhook-event.ts';
import { type AuditKind, auditKinds, type StoredEvent } from '../../../src/kernel/audit.ts';
import { asUserId } from '../../helpers/people/ids.ts';

const at = Date.UTC(2031, 4, 5, 12);

/** Every detail that an event may have, and some that must stay inside. */
const detail = {
  session: 'ses',
  sessions: 3,
  method: 'sms',
  file: 'fil',
  link: 'lnk',
  until: 'end',
  purpose: 'avatar',
  size: 7,
  sha256: 'ab',
  signature: 'Name',
  name: 'plan.txt',
  rule: 'day',
  country: 'DE',
  ip: '203.0.113.7',
  to: '+12•••23',
  recipient: 'mark',
  why: 'ticket',
};

const expectedEvents: Partial<Record<AuditKind, [type: string, data: Record<string, unknown>]>> = {
  'user.created': ['user.created', { userId: 'ann' }],
  'login.succeeded': ['user.signed_in', { userId: 'ann', sessionId: 'ses', method: 'sms' }],
  'email.bound': ['user.email_bound', { userId: 'ann' }],
  'phone.changed': ['user.phone_changed', { userId: 'ann' }],
  'phone.lost': ['user.phone_changed', { userId: 'ann' }],
  'user.not-me': ['user.sessions_revoked', { userId: 'ann', sessions: 3 }],
  'email.replaced': ['user.email_changed', { userId: 'ann' }],
  'email.removed': ['user.email_removed', { userId: 'ann' }],
  'user.blocked': ['user.blocked', { userId: 'ann' }],
  'user.unblocked': ['user.unblocked', { userId: 'ann' }],
  'user.data-changed': ['user.updated', { userId: 'ann' }],
  'user.signed-out': ['user.sessions_ended', { userId: 'ann', sessionId: null }],
  'session.ended': ['user.sessions_ended', { userId: 'ann', sessionId: 'ses' }],
  'user.deleted': ['user.deleted', { userId: 'ann' }],
  'session.reused': ['session.reused', { userId: 'ann', sessionId: 'ses' }],
  'app.code-reused': ['session.reused', { userId: 'ann', sessionId: 'ses' }],
  'file.stored': ['file.stored', { userId: 'ann', fileId: 'fil', purpose: 'avatar', size: 7 }],
  'file.deleted': ['file.deleted', { userId: 'ann', fileId: 'fil' }],
  'file.trashed': ['file.deleted', { userId: 'ann', fileId: 'fil' }],
  'file.expired': ['file.deleted', { userId: 'ann', fileId: 'fil' }],
  'file.restored': ['file.restored', { userId: 'ann', fileId: 'fil' }],
  'file.shared': ['file.shared', { userId: 'ann', fileId: 'fil', linkId: 'lnk', expiresAt: 'end' }],
  'file.infected': ['file.infected', { userId: 'ann', purpose: 'avatar', size: 7, sha256: 'ab', signature: 'Name' }],
  'spend.suspended': ['spend.suspended', { rule: 'day', country: 'DE' }],
};

function event(kind: string, changes: Partial<StoredEvent> = {}): StoredEvent {
  return { id: 'id', kind, userId: asUserId('ann'), detail, at, ...changes };
}

describe('a webhook event', () => {
  for (const kind of auditKinds) {
    const expected = expectedEvents[kind];
    it(`${kind} ${expected === undefined ? 'stays inside the service' : `is sent as ${expected[0]}`}`, () => {
      assert.equal(webhookKinds.includes(kind), expected !== undefined);
      assert.equal(webhookTypeOf(kind), expected?.[0]);
      if (expected === undefined) assert.throws(() => writeWebhook(event(kind)), new RegExp(`no webhook for ${kind}`));
      else
        assert.deepEqual(JSON.parse(writeWebhook(event(kind))), {
          id: 'id',
          type: expected[0],
          version: 1,
          timestamp: '2031-05-05T12:00:00.000Z',
          data: expected[1],
        });
    });
  }

  it('a kind of a later version has no type and cannot be written', () => {
    for (const kind of ['user.merged', 'toString', '']) {
      assert.equal(webhookTypeOf(kind), undefined);
      assert.throws(() => writeWebhook(event(kind)), /there is no webhook/);
    }
  });

  for (const kind of webhookKinds) {
    it(`what is missing in ${kind} is null, and the text is the same at every try`, () => {
      const bare: StoredEvent = { id: 'id', kind, detail: {}, at };
      assert.equal(writeWebhook(bare), writeWebhook(structuredClone(bare)));
      const { data } = JSON.parse(writeWebhook(bare)) as { data: Record<string, unknown> };
      assert.ok(Object.values(data).every((value) => value === null));
    });
  }

  it('a file that made way for an upload is published with this reason', () => {
    const { data } = JSON.parse(writeWebhook(event('file.deleted', { detail: { file: 'fil', reason: 'room' } })));
    assert.deepEqual(data, { userId: 'ann', fileId: 'fil', reason: 'room' });
  });

  it('a test event says that it is one, and is about no user', () =>
    assert.deepEqual(JSON.parse(writeTestWebhook('id', at)), {
      id: 'id',
      type: 'webhook.test',
      version: 1,
      timestamp: '2031-05-05T12:00:00.000Z',
      data: { sentBy: 'gatehouse webhooks test' },
    }));
});
