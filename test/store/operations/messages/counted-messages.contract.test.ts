// Contract of what messages were counted in: in any order of events, the limits count what was sent or may have been, and what waits.

import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import fc from 'fast-check';
import { sendCounters } from '../../../../src/abuse/sends.ts';
import { dayCounter } from '../../../../src/abuse/sms-brake.ts';
import { noticeSmsIds } from '../../../../src/auth/notices/notice-sms.ts';
import type { Channel } from '../../../../src/messages/channel.ts';
import type { HeldMessage } from '../../../../src/messages/outbox.ts';
import { createOperatorPorts } from '../../../../src/store/ports.ts';
import { rounds, seed } from '../../../helpers/faults/rounds.ts';
import { asEmailKey, asPhone } from '../../../helpers/people/ids.ts';
import { defaultLimits } from '../../../helpers/services/default-limits.ts';
import { day, linkRequest, newEmail, newPhone, noon } from '../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../helpers/store/test-store.ts';
import { callers, countedStep, countersIn, emptyForCounting, limitedRequest, playCounted } from './counted-play.ts';

const { sends, brake } = defaultLimits();
const second = 1000;
const by = { actor: 'cli', why: 'a test' } as const;

onEveryStore('what messages were counted in', (open) => {
  beforeEach(() => emptyForCounting(open()));
  const counterOf = async (id: string) => (await countersIn(open())).get(id);

  /** A node claims what is due, and has a lease for this message. */
  const hold = async (id: string, now: number, channel: Channel = 'sms'): Promise<HeldMessage> => {
    const claimed = await open().ports.outbox.claim({ channel, now, most: 99, leaseSeconds: 20 });
    return claimed.find((message) => message.id === id) ?? assert.fail('not due');
  };
  const parking = ({ id, heldUntil }: HeldMessage, now: number) => {
    return { id, heldUntil, error: 'off', isDoubtful: false, isAboutRecipient: false, now };
  };

  it('the limits count what left, may have left or waits, in any order of sends, answers, ends, uses and kills', () =>
    fc.assert(
      fc.asyncProperty(fc.array(countedStep, { minLength: 20, maxLength: 40, size: 'max' }), (steps) =>
        playCounted(open(), steps),
      ),
      { numRuns: rounds(4), seed },
    ));

  it('a message that expires in the outbox gives everything back once, also if it is parked twice in one commit', async () => {
    const { ports } = open();
    const phone = newPhone();
    const first = limitedRequest(phone, callers[0] ?? '', noon);
    await ports.sendRequests.request(first);
    const before = await countersIn(open());
    const again = limitedRequest(phone, callers[0] ?? '', noon + 31 * second);
    await ports.sendRequests.request(again);
    const park = parking(await hold(again.message?.id ?? '', noon + day), noon + day);
    await Promise.all([ports.outbox.park(park), ports.outbox.park(park)]);
    assert.deepEqual(await countersIn(open()), before);
  });

  it('the user may ask again at once when the message has been given up, and not while it waits', async () => {
    const { ports } = open();
    const phone = newPhone();
    const ask = async (now: number) =>
      (await ports.sendRequests.request(limitedRequest(phone, callers[0] ?? '', now)))?.code;
    const request = limitedRequest(phone, callers[0] ?? '', noon);
    await ports.sendRequests.request(request);
    const id = request.message?.id ?? '';
    const { heldUntil } = await hold(id, noon);
    await ports.outbox.retry({
      id,
      heldUntil,
      dueAt: noon + 2,
      error: 'refused',
      isTry: true,
      isDoubtful: false,
      isOutage: false,
      isAboutRecipient: false,
    });
    assert.equal(await ask(noon + 3), 'OTP_RESEND_TOO_SOON');
    await ports.outbox.park(parking(await hold(id, noon + 3), noon + 3));
    assert.equal(await ask(noon + 4), undefined);
  });

  it('a link gives nothing back, because only those of accounts are sent', async () => {
    const { ports } = open();
    const email = asEmailKey(newEmail());
    const check = { purpose: 'login-link', recipient: email, ip: callers[0] ?? '', policy: sends.mail, now: noon };
    const request = { ...linkRequest(email, noon), check };
    await ports.sendRequests.request(request);
    const before = await countersIn(open());
    await ports.outbox.park(parking(await hold(request.message.id, noon, 'mail'), noon));
    assert.deepEqual(await countersIn(open()), before);
    assert.equal((await open().rows('outbox'))[0]?.counted, null);
  });

  it('a caller gets nothing back for a recipient that a provider refused, also if the message only expires later', async () => {
    const { ports } = open();
    const ip = callers[0] ?? '';
    const request = limitedRequest(newPhone(), ip, noon);
    await ports.sendRequests.request(request);
    const { caller } = sendCounters({ purpose: '', recipient: asPhone(''), ip, policy: sends.sms });
    const counts = () => Promise.all(caller.map(({ id }) => counterOf(id)));
    const before = await counts();
    const id = request.message?.id ?? '';
    const { heldUntil } = await hold(id, noon);
    const retry = { id, heldUntil, dueAt: noon + second, error: 'no', isTry: true, isDoubtful: false, isOutage: true };
    await ports.outbox.retry({ ...retry, isAboutRecipient: true });
    await ports.outbox.park(parking(await hold(id, noon + day), noon + day));
    assert.deepEqual([await counts(), await counterOf(dayCounter(noon))], [before, 0]);
  });

  it('a notice by text message gives back the spending brake and its own limit', async () => {
    const { ports } = open();
    const phone = newPhone();
    const request = limitedRequest(phone, callers[0] ?? '', noon);
    await ports.sendRequests.request({ ...request, check: undefined, brake: undefined });
    const messageId = request.message?.id ?? '';
    const topic = 'phone-changed' as const;
    const check = { phone, country: 'DE', policy: brake, topic, messageId, createdAt: noon, now: noon };
    assert.equal(await ports.notices.admitNoticeSms(check), true);
    const id = noticeSmsIds(check)[0] ?? '';
    assert.deepEqual([await counterOf(id), await counterOf(dayCounter(noon))], [[[noon, messageId]], 1]);
    assert.equal(await ports.notices.admitNoticeSms(check), true);
    await ports.outbox.park(parking(await hold(messageId, noon), noon));
    assert.deepEqual([await counterOf(id), await counterOf(dayCounter(noon))], [[], 0]);
    await createOperatorPorts(open().store).messageLog.resend({ id: messageId, by, now: noon });
    assert.equal(await ports.notices.admitNoticeSms(check), true);
    assert.deepEqual([await counterOf(id), await counterOf(dayCounter(noon))], [[[noon, messageId]], 1]);
    await ports.outbox.park(parking(await hold(messageId, noon), noon));
    assert.deepEqual([await counterOf(id), await counterOf(dayCounter(noon))], [[], 0]);
  });

  it('nodes that give up messages of one country at the same time each take back their own', async () => {
    const { ports } = open();
    const requests = Array.from({ length: 12 }, () => limitedRequest(newPhone(), callers[0] ?? '', noon));
    await Promise.all(requests.map((request) => ports.sendRequests.request(request)));
    assert.equal(await counterOf(dayCounter(noon)), 12);
    const held = await ports.outbox.claim({ channel: 'sms', now: noon, most: 99, leaseSeconds: 20 });
    await Promise.all(
      held.flatMap((message, place) =>
        place % 3 === 0
          ? [ports.outbox.finishSent([{ id: message.id, detail: {}, now: noon }])]
          : [ports.outbox.park(parking(message, noon)), ports.outbox.park(parking(message, noon))],
      ),
    );
    assert.equal(await counterOf(dayCounter(noon)), 4);
  });
});
