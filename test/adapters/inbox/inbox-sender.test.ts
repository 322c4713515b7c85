// The sender of the inbox: it accepts every message, and announces it with its channel once the store has kept it.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createInboxSender } from '../../../src/adapters/inbox/inbox-sender.ts';

const message = { id: 'id', to: '+12025550123', text: 'code', createdAt: 5 };

it('the sender of the inbox accepts a message, and announces it with its channel only when it is told to', async () => {
  const announced: unknown[] = [];
  const sender = createInboxSender('sms', (...given) => announced.push(given));
  assert.deepEqual(await sender.send(message, AbortSignal.abort()), { kind: 'accepted' });
  assert.deepEqual(announced, []);
  sender.announce?.(message);
  assert.deepEqual(announced, [[message, 'sms']]);
  assert.deepEqual([sender.name, sender.channel], ['inbox', 'sms']);
});
