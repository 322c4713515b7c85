// The sender of the inbox: a message is kept and then announced, or refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInboxSender } from '../../../src/adapters/inbox/inbox-sender.ts';

const message = { id: 'id', to: '+12025550123', text: 'code', createdAt: 5 };

describe('the sender of the inbox', () => {
  it('keeps the message with its channel, then announces it', async () => {
    const steps: unknown[] = [];
    const sender = createInboxSender(
      'sms',
      { keep: async (kept) => void steps.push(['keep', kept]) },
      (announced, channel) => void steps.push(['announce', announced, channel]),
    );
    assert.deepEqual(await sender.send(message, AbortSignal.abort()), { kind: 'accepted' });
    assert.deepEqual(steps, [
      ['keep', { ...message, channel: 'sms' }],
      ['announce', message, 'sms'],
    ]);
    assert.deepEqual([sender.name, sender.channel], ['inbox', 'sms']);
  });

  it('refuses and announces nothing if the message cannot be kept', async () => {
    const keep = () => Promise.reject(new Error('no store for +12025550123'));
    const sender = createInboxSender('mail', { keep }, () => assert.fail('announced'));
    assert.deepEqual(await sender.send(message, AbortSignal.abort()), { kind: 'refused', error: 'inbox not writable' });
  });
});
