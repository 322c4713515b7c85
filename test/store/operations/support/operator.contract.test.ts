// Contract of the operator ports: audit events, limits and waiting messages can be read and corrected.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sendCounterIds } from '../../../../src/abuse/sends.ts';
import { newId } from '../../../../src/kernel/crypto/random.ts';
import { newUserId } from '../../../../src/kernel/ids.ts';
import { createOperatorPorts } from '../../../../src/store/ports.ts';
import { asEmailKey } from '../../../helpers/people/ids.ts';
import { codeRequest, linkRequest, minute, newEmail, newPhone, noon } from '../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';

const by = { actor: 'cli', why: 'a test' } as const;

onEveryStore('the operator ports', (open) => {
  const context = () => createOperatorPorts(open().store);

  it('audit.list returns events newest first, page by page, by user, recipient, kind, time and operator acts', async () => {
    const { audit } = context();
    const userId = newUserId();
    const begun = Date.now();
    await audit.record({ kind: 'user.blocked', userId, detail: { why: 'one', actor: 'cli' }, now: noon });
    await audit.record({ kind: 'user.unblocked', userId, detail: { recipient: 'mark' }, now: noon + 1 });
    await audit.record({ kind: 'user.blocked', detail: { why: 'three', n: 3 }, now: noon + 2 });
    const seen = async (query: Partial<Parameters<typeof audit.list>[0]>) =>
      (await audit.list({ since: begun, most: 10, ...query })).map(({ at }) => at - noon);
    assert.deepEqual(await seen({}), [2, 1, 0]);
    assert.deepEqual(await seen({ most: 1 }), [2]);
    assert.deepEqual(await seen({ userId }), [1, 0]);
    assert.deepEqual(await seen({ kind: 'user.blocked' }), [2, 0]);
    assert.deepEqual(await seen({ userId, kind: 'user.blocked' }), [0]);
    assert.deepEqual(await seen({ recipient: 'mark' }), [1]);
    assert.deepEqual(await seen({ acts: true }), [0]);
    const [newest] = await audit.list({ since: begun, most: 1 });
    assert.deepEqual(await seen({ before: newest?.id ?? '' }), [1, 0]);
    assert.deepEqual(await seen({ since: Date.now() + minute }), []);
    const [event] = await audit.list({ kind: 'user.blocked', since: begun, most: 1 });
    assert.deepEqual(
      { ...event, id: '' },
      { id: '', kind: 'user.blocked', detail: { why: 'three', n: 3 }, at: noon + 2 },
    );
  });

  it('limits.read returns the hits of a limit, and limits.clear removes them', async () => {
    const { limits } = context();
    const phone = newPhone();
    const policy = { resendAfterSeconds: [30], perRecipient: [{ count: 1, windowSeconds: 3600 }] };
    const request = codeRequest(phone, noon, { policy });
    assert.equal(await open().ports.sendRequests.request(request), undefined);
    const again = { ...codeRequest(phone, noon + minute, { policy }) };
    assert.equal((await open().ports.sendRequests.request(again))?.code, 'OTP_SEND_LIMIT');
    const ids = sendCounterIds(request.check ?? assert.fail()).filter((id) => id !== undefined);
    assert.equal(ids.length, 2);
    for (const id of ids) assert.deepEqual(await limits.read(id), [noon]);
    assert.deepEqual(await limits.read('sends:none'), []);
    const clearing = { ids: [...ids, 'sends:none'], detail: { ...by, to: '+49•••00' }, now: noon + minute };
    assert.deepEqual(await Promise.all([limits.clear(clearing), limits.clear(clearing)]), [2, 0]);
    for (const id of ids) assert.deepEqual(await limits.read(id), []);
    assert.equal(await open().ports.sendRequests.request(again), undefined);
    const events = await context().audit.list({ kind: 'limits.cleared', since: 0, most: 9 });
    assert.deepEqual(events[0]?.detail, clearing.detail);
  });

  it('listOutbox returns waiting and parked messages of all recipients or of one', async () => {
    const { messageLog } = context();
    const [phone, email] = [newPhone(), newEmail()];
    const waits = codeRequest(phone, noon);
    const parked = linkRequest(asEmailKey(email), noon + 1);
    const draft = parked.message;
    for (const request of [waits, parked]) await open().ports.sendRequests.request(request);
    const [held] = await open().ports.outbox.claim({ channel: 'mail', now: noon + 2, most: 1, leaseSeconds: 20 });
    assert.equal(held?.id, draft.id);
    const { heldUntil } = held;
    await open().ports.outbox.park({
      id: draft.id,
      heldUntil,
      error: 'refused',
      isDoubtful: false,
      isAboutRecipient: false,
      now: noon + 2,
    });
    const toPhone = await messageLog.listOutbox({ to: phone, most: 9 });
    assert.deepEqual(toPhone, [
      {
        id: waits.message?.id,
        channel: 'sms',
        kind: 'phone-login',
        to: phone,
        state: 'queued',
        tries: 0,
        error: undefined,
        createdAt: noon,
        expiresAt: noon + 5 * minute,
      },
    ]);
    const [toEmail, ...more] = await messageLog.listOutbox({ to: email.toUpperCase(), most: 9 });
    assert.deepEqual([toEmail?.id, toEmail?.state, toEmail?.error, more], [draft.id, 'parked', 'refused', []]);
    const all = (await messageLog.listOutbox({ to: undefined, most: 9 })).map(({ id }) => id);
    assert.ok(all.indexOf(draft.id) < all.indexOf(waits.message?.id ?? '') && all.includes(draft.id));
    assert.equal((await messageLog.listOutbox({ to: undefined, most: 1 })).length, 1);
  });

  it('resend queues a parked message again until it has expired', async () => {
    const { messageLog, audit } = context();
    const { outbox, sendRequests } = open().ports;
    const request = codeRequest(newPhone(), noon);
    const id = request.message?.id ?? '';
    await sendRequests.request(request);
    await outbox.claim({ channel: 'sms', now: noon, most: 99, leaseSeconds: 20 });
    assert.equal(await messageLog.resend({ id, by, now: noon }), 'sending');
    await outbox.park({
      id,
      heldUntil: noon + 20_000,
      error: 'refused',
      isDoubtful: true,
      isAboutRecipient: false,
      now: noon,
    });
    assert.equal(await messageLog.resend({ id, by, now: noon + minute }), 'queued');
    const claimed = await outbox.claim({ channel: 'sms', now: noon + minute, most: 99, leaseSeconds: 20 });
    const mine = claimed.find((entry) => entry.id === id);
    assert.deepEqual([mine?.tries, mine?.doubts], [0, 0]);
    assert.equal(await messageLog.resend({ id, by, now: noon + minute }), 'sending');
    assert.equal(await messageLog.resend({ id, by, now: noon + 5 * minute }), 'expired');
    assert.equal(await messageLog.resend({ id: newId(), by, now: noon }), 'gone');
    const events = await audit.list({ kind: 'message.resent', since: 0, most: 9 });
    assert.deepEqual(
      events.map(({ detail }) => detail),
      [{ message: id, ...by }],
    );
  });

  it('finishSent records the provider of a sent message in the audit log', async () => {
    const { outbox, sendRequests } = open().ports;
    const request = codeRequest(newPhone(), noon);
    const id = request.message?.id ?? '';
    await sendRequests.request(request);
    await outbox.finishSent([{ id, detail: { provider: 'twilio' }, now: noon + 1 }]);
    assert.ok(!(await open().rows('outbox')).some((row) => row.id === id));
    const [event] = await context().audit.list({ kind: 'message.sent', since: 0, most: 1 });
    assert.deepEqual(event?.detail, { message: id, provider: 'twilio' });
  });
});
