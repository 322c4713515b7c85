// Contract of OutboxStore: one node at a time holds a message, it is due again when its lease ends, and is never lost silently.

import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import pg from 'pg';
import { messageOf } from '../../../../src/auth/codes/judge-send.ts';
import type { SendAnswer, SendRequest } from '../../../../src/auth/codes/send-request.ts';
import type { Channel } from '../../../../src/messages/channel.ts';
import type { ClaimedMessage } from '../../../../src/messages/outbox.ts';
import { holdMessage } from '../../../../src/messages/outbox-rules.ts';
import { createPorts } from '../../../../src/store/ports.ts';
import { asEmailKey } from '../../../helpers/people/ids.ts';
import {
  codeRequest,
  idAt,
  linkRequest,
  message,
  minute,
  newEmail,
  newPhone,
  noon,
} from '../../../helpers/store/fixtures.ts';
import { openNode } from '../../../helpers/store/open-node.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

const lease = 20_000;

onEveryStore('the outbox', (open, kind) => {
  beforeEach(() => open().query('delete from outbox returning id'));

  /** Queues messages that become due at these times, with ids in that order. */
  const queue = async (...times: number[]) => {
    const ids: string[] = [];
    for (const [index, time] of times.entries()) {
      const draft = message(time, { id: idAt(noon + index) });
      await open().ports.sendRequests.request({ ...codeRequest(newPhone(), time), message: draft });
      ids.push(draft.id);
    }
    return ids;
  };
  const claim = (now: number, most = 10) =>
    open().ports.outbox.claim({ channel: 'sms', now, most, leaseSeconds: lease / 1000 });
  const begin = (held: ClaimedMessage | undefined, now: number) =>
    open().ports.outbox.begin(held === undefined ? [] : [{ ...held, now, leaseSeconds: lease / 1000 }]);
  const ids = (claimed: readonly ClaimedMessage[]) => claimed.map(({ id }) => id);
  /** What the node delivers whose request was answered so. */
  const heldOf = (request: SendRequest, answer: SendAnswer) => {
    const source = answer !== undefined && 'isHeld' in answer ? answer.source : assert.fail('not held');
    const { now, leaseSeconds = 0 } = request;
    return holdMessage(messageOf(request, source) ?? assert.fail('no message'), { now, leaseSeconds });
  };
  const rowOf = async (id = '') => (await open().rows('outbox')).find((row) => row.id === id);

  it('the outbox returns a message as it was queued', async () => {
    const request = codeRequest(newPhone(), noon);
    await open().ports.sendRequests.request(request);
    const { id, channel, kind: what, payload, createdAt } = request.message ?? assert.fail();
    const expiresAt = noon + 5 * minute;
    const full = { ...payload, challenge: request.challenge?.seed, expiresAt };
    const claimed = {
      id,
      channel,
      kind: what,
      payload: full,
      createdAt,
      expiresAt,
      tries: 0,
      doubts: 0,
      heldUntil: noon + lease,
    };
    assert.deepEqual(await claim(noon), [claimed]);
  });

  it('a message that its own node claims is held from the commit that queues it, and is what a claim would return', async () => {
    const request = codeRequest(newPhone(), noon);
    const claimed = { ...request, leaseSeconds: lease / 1000 };
    const held = heldOf(claimed, await open().ports.sendRequests.request(claimed));
    const { id, channel, kind: what, payload, createdAt } = request.message ?? assert.fail();
    const expiresAt = noon + 5 * minute;
    const full = { ...payload, challenge: request.challenge?.seed, expiresAt };
    const expected = { id, channel, kind: what, payload: full, createdAt, expiresAt, tries: 0, doubts: 0 };
    assert.deepEqual(held, { ...expected, heldUntil: noon + lease });
    assert.deepEqual(await claim(noon + lease - 1), []);
    const [again] = await claim(noon + lease);
    assert.deepEqual(again, { ...expected, heldUntil: noon + 2 * lease });
  });

  it('a message with a code that is sent again is held with the code of the open challenge', async () => {
    const phone = newPhone();
    const first = codeRequest(phone, noon);
    await open().ports.sendRequests.request(first);
    const again = { ...codeRequest(phone, noon + minute), leaseSeconds: 20 };
    const held = heldOf(again, await open().ports.sendRequests.request(again));
    assert.deepEqual((held.payload as { challenge: unknown }).challenge, first.challenge?.seed);
  });

  it('a request without a message holds none, and a link is held without a code', async () => {
    const { sendRequests } = open().ports;
    const silent = { ...codeRequest(newPhone(), noon), message: undefined, leaseSeconds: 20 };
    assert.equal(await sendRequests.request(silent), undefined);
    const link = linkRequest(asEmailKey(newEmail()), noon);
    const answer = await sendRequests.request({ ...link, leaseSeconds: 20 });
    assert.deepEqual(answer, { isHeld: true });
  });

  it('a message that is given back is claimed as if it had never been held', async () => {
    const [, second] = await queue(noon + 1, noon + 2);
    const [held] = await claim(noon + 1);
    await open().ports.outbox.giveBack(held === undefined ? [] : [held]);
    const claimed = await claim(noon + 5);
    assert.deepEqual(
      claimed.map(({ id, tries, doubts }) => [id, tries, doubts]),
      [
        [held?.id, 0, 0],
        [second, 0, 0],
      ],
    );
  });

  it('a message whose lease has gone to another node, and one that was sent, are not given back', async () => {
    const [id = '', gone = ''] = await queue(noon, noon);
    const held = await claim(noon);
    const [taken] = await claim(noon + lease, 1);
    await open().ports.outbox.finish(gone);
    await open().ports.outbox.giveBack(held);
    assert.deepEqual(await claim(noon + lease), []);
    const row = await rowOf(id);
    assert.deepEqual([row?.state, row?.due_at, row?.tries], ['claimed', taken?.heldUntil, 0]);
    assert.equal(await rowOf(gone), undefined);
  });

  it('messages that were sent leave the outbox, reach the inbox and are recorded in one commit', async () => {
    const { outbox, inbox } = open().ports;
    const [a = '', b = ''] = await queue(noon, noon);
    await claim(noon);
    const kept = { id: a, channel: 'sms' as const, to: newPhone(), text: 'one', createdAt: noon };
    await outbox.finishSent([
      { id: a, detail: { provider: 'inbox' }, now: noon + 1, kept },
      { id: b, detail: { provider: 'other' }, now: noon + 1 },
    ]);
    assert.deepEqual(await open().rows('outbox'), []);
    assert.deepEqual(await inbox.list({ to: kept.to, most: 9 }), [kept]);
    const events = (await open().rows('audit_events')).filter(({ detail }) => detail.includes(a) || detail.includes(b));
    assert.deepEqual(events.map(({ kind: what, detail }) => `${what} ${JSON.parse(detail).provider}`).toSorted(), [
      'message.sent inbox',
      'message.sent other',
    ]);
  });

  it('the outbox returns due messages, oldest first and no more than requested', async () => {
    const [a, b, c, d] = await queue(noon + 2, noon, noon + 1, noon + 10);
    assert.deepEqual(ids(await claim(noon + 5, 2)), [b, c]);
    assert.deepEqual(ids(await claim(noon + 5, 2)), [a]);
    assert.deepEqual(ids(await claim(noon + 9)), []);
    assert.deepEqual(ids(await claim(noon + 10)), [d]);
  });

  it('the outbox returns the messages of one channel only', async () => {
    const [sms] = await queue(noon);
    const request = linkRequest(asEmailKey(newEmail()), noon);
    const mail = request.message;
    await open().ports.sendRequests.request(request);
    const take = (channel: Channel) => open().ports.outbox.claim({ channel, now: noon, most: 10, leaseSeconds: 20 });
    assert.deepEqual(ids(await take('mail')), [mail.id]);
    assert.deepEqual(ids(await take('mail')), []);
    assert.deepEqual(ids(await take('sms')), [sms]);
  });

  it('a message that was claimed and never begun is no doubt and no try, however often its lease ends', async () => {
    const [id] = await queue(noon);
    for (let round = 0; round < 9; round++) {
      const [held] = await claim(noon + round * lease);
      assert.deepEqual([held?.id, held?.tries, held?.doubts], [id, 0, 0]);
      assert.deepEqual(await claim(noon + (round + 1) * lease - 1), []);
    }
  });

  it('a message that was begun is held for a new lease, and is a doubt when that ends', async () => {
    const [id] = await queue(noon);
    const [held] = await claim(noon);
    assert.deepEqual(await begin(held, noon + 1), [true]);
    assert.deepEqual(await claim(noon + lease), []);
    const [again] = await claim(noon + 1 + lease);
    assert.deepEqual([again?.id, again?.tries, again?.doubts], [id, 1, 1]);
    const [third] = await claim(noon + 1 + 2 * lease);
    assert.deepEqual([third?.tries, third?.doubts], [1, 1]);
  });

  it('a message that is begun again is one doubt more, and a code is begun no third time', async () => {
    await queue(noon);
    let [held] = await claim(noon);
    for (const [round, isBegun] of [true, true, false].entries()) {
      const now = noon + round;
      assert.deepEqual(await begin(held, now), [isBegun]);
      if (held !== undefined && isBegun) held = { ...held, heldUntil: now + lease };
    }
    assert.equal((await rowOf(held?.id))?.doubts, 1);
  });

  it('a message is not begun by a node whose lease has ended and gone to another, nor when it has left', async () => {
    const [, gone = ''] = await queue(noon, noon);
    const [mine, left] = await claim(noon);
    await open().ports.outbox.finish(gone);
    await claim(noon + lease);
    assert.deepEqual(await begin(mine, noon + lease), [false]);
    assert.deepEqual(await begin(left, noon + lease), [false]);
    assert.equal((await rowOf(mine?.id))?.state, 'claimed');
  });

  it('a begun message is not given back', async () => {
    const [id] = await queue(noon);
    const [held] = await claim(noon);
    await begin(held, noon);
    await open().ports.outbox.giveBack(held === undefined ? [] : [held]);
    assert.equal((await rowOf(id))?.state, 'sending');
  });

  it('the outbox removes a finished message', async () => {
    const [a, b] = await queue(noon, noon);
    await claim(noon);
    await open().ports.outbox.finish(a ?? '');
    assert.deepEqual(ids(await claim(noon + lease)), [b]);
    await open().ports.outbox.finish(a ?? '');
    assert.equal((await open().rows('outbox')).length, 1);
  });

  const untilLease = noon + lease;
  it('the outbox gives a probe the newest message that never failed, and after these the one that is due first', async () => {
    const [failed = '', older = '', newer = ''] = await queue(noon, noon, noon);
    const [held] = await claim(noon, 1);
    const retry = {
      dueAt: noon,
      error: 'off',
      isTry: true,
      isDoubtful: false,
      isOutage: true,
      isAboutRecipient: false,
    };
    await open().ports.outbox.retry({ id: failed, heldUntil: held?.heldUntil ?? 0, ...retry });
    const probe = () =>
      open().ports.outbox.claim({ channel: 'sms', now: noon, most: 1, leaseSeconds: lease / 1000, isProbe: true });
    const probed = [await probe(), await probe(), await probe(), await probe()];
    assert.deepEqual(probed.flatMap(ids), [newer, older, failed]);
  });

  const attempts: [what: string, isTry: boolean, isDoubtful: boolean, counts: number[]][] = [
    ['was surely not sent', true, false, [1, 0]],
    ['may have been sent', true, true, [1, 1]],
    ['no provider was asked to send', false, false, [0, 0]],
  ];
  for (const [what, isTry, isDoubtful, counts] of attempts) {
    it(`the outbox retries a message that ${what}, with ${counts} tries and doubts`, async () => {
      const [id = ''] = await queue(noon);
      await claim(noon);
      const retry = {
        id,
        heldUntil: untilLease,
        dueAt: noon + 3000,
        error: 'refused',
        isTry,
        isDoubtful,
        isOutage: isTry,
        isAboutRecipient: false,
      };
      await open().ports.outbox.retry(retry);
      assert.deepEqual(await claim(noon + 2999), []);
      assert.equal((await rowOf(id))?.last_error, 'refused');
      const [again] = await claim(noon + 3000);
      assert.deepEqual([again?.tries, again?.doubts], counts);
    });
  }

  it('a node whose lease has gone to another neither retries nor parks the message', async () => {
    const { outbox } = open().ports;
    const [id = ''] = await queue(noon);
    await claim(noon);
    await claim(noon + lease);
    const late = { id, heldUntil: untilLease, error: 'late', isDoubtful: false };
    await outbox.retry({ ...late, dueAt: noon, isTry: true, isOutage: true, isAboutRecipient: false });
    await outbox.park({ ...late, isAboutRecipient: false, now: noon + lease });
    const row = await rowOf(id);
    assert.deepEqual([row?.state, row?.due_at, row?.last_error], ['claimed', noon + 2 * lease, null]);
  });

  it('the outbox parks a message with its reason and records it in the audit log', async () => {
    const [id = ''] = await queue(noon);
    await claim(noon);
    await open().ports.outbox.park({
      id,
      heldUntil: untilLease,
      error: 'hopeless',
      isDoubtful: true,
      isAboutRecipient: false,
      now: noon + 1,
    });
    assert.deepEqual(await claim(noon + 100 * minute), []);
    const row = await rowOf(id);
    assert.deepEqual([row?.state, row?.last_error, row?.doubts], ['parked', 'hopeless', 1]);
    const events = (await open().rows('audit_events')).filter(({ detail }) => detail.includes(id));
    assert.deepEqual(
      events.map((event) => [event.kind, event.created_at]),
      [['message.parked', noon + 1]],
    );
  });

  it('a retry or park of a message that is gone creates no message', async () => {
    const { outbox } = open().ports;
    const id = idAt(noon);
    const late = { id, heldUntil: noon, error: 'late', isDoubtful: true };
    await outbox.retry({ ...late, dueAt: noon, isTry: true, isOutage: true, isAboutRecipient: false });
    await outbox.park({ ...late, isAboutRecipient: false, now: noon });
    assert.deepEqual(await open().rows('outbox'), []);
    const events = (await open().rows('audit_events')).filter(({ detail }) => detail.includes(id));
    assert.deepEqual(events, []);
  });

  it('the outbox counts waiting and parked messages and reports the age of the oldest', async () => {
    const { outbox } = open().ports;
    assert.deepEqual(await outbox.measure(), { waiting: 0, parked: 0, oldestAt: undefined });
    const [a = '', b = ''] = await queue(noon - minute, noon, noon + minute);
    await claim(noon, 1);
    assert.deepEqual(await outbox.measure(), { waiting: 3, parked: 0, oldestAt: noon - minute });
    await outbox.park({
      id: a,
      heldUntil: untilLease,
      error: 'hopeless',
      isDoubtful: false,
      isAboutRecipient: false,
      now: noon,
    });
    assert.deepEqual(await outbox.measure(), { waiting: 2, parked: 1, oldestAt: noon });
    await outbox.finish(b);
    assert.deepEqual(await outbox.measure(), { waiting: 1, parked: 1, oldestAt: noon + minute });
  });

  it('a message that waits after its sixth try, as only notices do, is not the oldest', async () => {
    const { outbox } = open().ports;
    const [id = ''] = await queue(noon);
    for (let tries = 1; tries <= 6; tries++) {
      assert.deepEqual(await outbox.measure(), { waiting: 1, parked: 0, oldestAt: noon });
      await claim(noon, 1);
      await outbox.retry({
        id,
        heldUntil: untilLease,
        dueAt: noon,
        error: 'busy',
        isTry: true,
        isDoubtful: false,
        isOutage: true,
        isAboutRecipient: false,
      });
    }
    assert.deepEqual(await outbox.measure(), { waiting: 1, parked: 0, oldestAt: undefined });
  });

  it('each message goes to one of many claims in one turn of the event loop', async () => {
    const queued = await queue(...Array.from({ length: 12 }, () => noon));
    const all = await Promise.all(Array.from({ length: 4 }, () => claim(noon, 5)));
    assert.deepEqual(
      all.map((claimed) => claimed.length),
      [5, 5, 2, 0],
    );
    assert.deepEqual(all.flatMap(ids), queued);
  });

  it('each message goes to one of two nodes', async () => {
    const queued = await queue(...Array.from({ length: 20 }, () => noon));
    const node = await openNode(kind, open().address);
    const other = createPorts(node).outbox;
    const input = { channel: 'sms' as const, now: noon, most: 3, leaseSeconds: 20 };
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? open().ports.outbox : other).claim(input)),
    );
    const claimed = all.flatMap(ids);
    const rest = ids(await claim(noon, 20));
    assert.deepEqual([...claimed, ...rest].toSorted(), queued.toSorted());
    await node.close();
  });

  it('a claim skips a message that another node has locked', { skip: kind !== 'postgres' }, async () => {
    const [first, second] = await queue(noon, noon + 1);
    const client = new pg.Client({ connectionString: open().address });
    await client.connect();
    await client.query('begin');
    await client.query(`select * from outbox where id = '${first}' for update`);
    assert.deepEqual(ids(await claim(noon + 1)), [second], 'while the other node still holds the lock');
    await client.query('rollback');
    await client.end();
    assert.deepEqual(ids(await claim(noon + 1)), [first]);
  });
});
