// Contract of InboxStore: a message is stored once and listed newest first, by recipient or for all.
import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import type { InboxMessage } from '../../../../src/messages/inbox.ts';
import { idAt, noon } from '../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

onEveryStore('the inbox', (open) => {
  beforeEach(() => open().query('delete from inbox returning id'));

  const write = (to: string, createdAt: number, changes: Partial<InboxMessage> = {}): InboxMessage => {
    return { id: idAt(createdAt), channel: 'sms', to, text: `to ${to}`, createdAt, ...changes };
  };
  const finish = (...messages: InboxMessage[]) =>
    open().ports.outbox.finishSent(messages.map((kept) => ({ id: kept.id, detail: {}, now: noon, kept })));
  const keep = async (...messages: InboxMessage[]) => {
    for (const one of messages) await finish(one);
  };

  it('the inbox stores a message unchanged, with or without subject and HTML', async () => {
    const text = write('+491', noon);
    const subject = 'Grüße 😀 “quoted” {braces} \\ NULL';
    const mail = write('ann@example.com', noon + 1, { channel: 'mail', subject, html: '<p>\n\t"\'' });
    await keep(text, mail);
    assert.deepEqual(await open().ports.inbox.list({ to: undefined, most: 10 }), [mail, text]);
  });

  it('the inbox stores a message once, however often it is added', async () => {
    const one = write('+491', noon);
    await keep(one, one);
    await Promise.all([finish(one), finish(one, one)]);
    assert.deepEqual(await open().ports.inbox.list({ to: undefined, most: 10 }), [one]);
  });

  it('the inbox lists messages newest first, and no more than requested', async () => {
    const all = [2, 0, 3, 1].map((at) => write('+491', noon + at));
    await keep(...all);
    const listed = await open().ports.inbox.list({ to: '+491', most: 3 });
    assert.deepEqual(
      listed.map(({ createdAt }) => createdAt - noon),
      [3, 2, 1],
    );
  });

  it('the inbox lists the later id first if two messages have the same time', async () => {
    const [a, b] = [write('+491', noon), write('+491', noon)].toSorted((x, y) => (x.id < y.id ? -1 : 1));
    if (a === undefined || b === undefined) return;
    await keep(b, a);
    assert.deepEqual(await open().ports.inbox.list({ to: undefined, most: 2 }), [b, a]);
    assert.deepEqual(await open().ports.inbox.list({ to: '+491', most: 2 }), [b, a]);
  });

  it('the inbox lists the messages of one recipient and ignores the case of an e-mail address', async () => {
    const mine = write('Ann@Example.com', noon);
    await keep(mine, write('anna@example.com', noon), write('+491', noon));
    const list = (to: string) => open().ports.inbox.list({ to, most: 10 });
    for (const to of ['Ann@Example.com', 'ann@example.com', 'ANN@EXAMPLE.COM'])
      assert.deepEqual(await list(to), [mine]);
    for (const to of ['ann@example.co_', 'ann%', '', '%']) assert.deepEqual(await list(to), []);
  });
});
