// The messages of a recipient or of all: waiting ones from the outbox, sent ones from the audit log, newest first.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuditQuery, AuditStore, StoredEvent } from '../../src/kernel/audit.ts';
import { marksOf } from '../../src/kernel/crypto/recipient-mark.ts';
import { createSecrets } from '../../src/kernel/crypto/secrets.ts';
import type { MessageLogStore, OutboxEntry } from '../../src/messages/message-log.ts';
import { listMessages } from '../../src/support/list-messages.ts';

const secrets = createSecrets('the current secret, long enough', 'the previous secret, long enough');
const phone = '+12025550123';

const entry = (id: string, createdAt: number): OutboxEntry => ({
  id,
  channel: 'sms',
  kind: 'phone-login',
  to: phone,
  state: 'parked',
  tries: 6,
  error: 'busy',
  createdAt,
  expiresAt: 99,
});
const sent = (id: string, at: number): StoredEvent => ({
  id: `event of ${id}`,
  kind: 'message.sent',
  detail: { message: id, channel: 'mail', kind: 'login-link', to: 'a•••@example.com', provider: 'smtp' },
  at,
});

async function list(
  waiting: OutboxEntry[],
  events: StoredEvent[],
  input: { to?: string; since?: number; most?: number },
) {
  const asked: AuditQuery[] = [];
  const listed: unknown[] = [];
  const messageLog: MessageLogStore = {
    listOutbox: async (query) => {
      listed.push(query);
      return waiting;
    },
    resend: async () => 'gone',
  };
  const audit: AuditStore = {
    record: async () => undefined,
    list: async (query) => {
      asked.push(query);
      return asked.length === 1 ? events : [];
    },
  };
  const { to, since = 0, most = 10 } = input;
  const messages = await listMessages({ messageLog, audit, secrets }, { to, since, most });
  return { messages, asked, listed };
}

describe('the list of messages', () => {
  it('waiting and sent messages are merged, newest first, up to the limit', async () => {
    const { messages } = await list([entry('a', 5), entry('b', 1)], [sent('c', 4), sent('d', 6)], { most: 3 });
    assert.deepEqual(
      messages.map(({ id, state }) => `${id} ${state}`),
      ['d sent', 'a parked', 'c sent'],
    );
  });

  it('a waiting message shows its recipient masked and in full, a sent one only masked', async () => {
    const { messages } = await list([entry('a', 5)], [sent('c', 4)], {});
    assert.deepEqual(messages, [
      {
        id: 'a',
        channel: 'sms',
        kind: 'phone-login',
        to: '+12•••23',
        fullTo: phone,
        state: 'parked',
        provider: undefined,
        error: 'busy',
        at: 5,
      },
      {
        id: 'c',
        channel: 'mail',
        kind: 'login-link',
        to: 'a•••@example.com',
        fullTo: undefined,
        state: 'sent',
        provider: 'smtp',
        error: undefined,
        at: 4,
      },
    ]);
  });

  it('waiting messages from before the time are left out', async () => {
    const { messages } = await list([entry('a', 5), entry('b', 4)], [], { since: 5 });
    assert.deepEqual(
      messages.map(({ id }) => id),
      ['a'],
    );
  });

  it('sent messages to one recipient are searched by the mark of each secret', async () => {
    const { asked, listed } = await list([], [], { to: phone, since: 2, most: 7 });
    assert.deepEqual(
      asked,
      marksOf(secrets, phone).map((recipient) => ({ kind: 'message.sent', recipient, since: 2, most: 7 })),
    );
    assert.deepEqual(listed, [{ to: phone, most: 7 }]);
  });

  it('without a recipient, all sent messages are searched once', async () => {
    const { asked } = await list([], [], { since: 2, most: 7 });
    assert.deepEqual(asked, [{ kind: 'message.sent', since: 2, most: 7 }]);
  });

  it('a sent event of another version may lack its fields', async () => {
    const { messages } = await list([], [{ id: 'x', kind: 'message.sent', detail: {}, at: 1 }], {});
    assert.deepEqual([messages[0]?.id, messages[0]?.provider], ['', '']);
  });

  it('a sent event may name a channel of a later version', async () => {
    const { messages } = await list([], [{ ...sent('x', 1), detail: { message: 'x', channel: 'a later one' } }], {});
    assert.deepEqual([messages[0]?.id, messages[0]?.channel], ['x', undefined]);
  });
});
