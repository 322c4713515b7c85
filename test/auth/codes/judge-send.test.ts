// The rules of a request for a message: the order of refusals, what is counted, the last allowed send, and suspensions.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countUsedCode, usageCounterId } from '../../../src/abuse/sms-brake.ts';
import { judgeSuspension, suspensionId } from '../../../src/abuse/suspension.ts';
import {
  acceptedEvents,
  countSendRequest,
  judgeSend,
  openCode,
  refusedEvent,
  sendRequestIds,
} from '../../../src/auth/codes/judge-send.ts';
import { asEmailKey, asPhone } from '../../helpers/people/ids.ts';
import {
  codeRequest,
  day,
  hour,
  linkRequest,
  minute,
  newChallengeSeed,
  noon,
  otpPolicy,
} from '../../helpers/store/fixtures.ts';

const phone = asPhone('+491510000001');
const limits = {
  policy: { perRecipient: [{ count: 2, windowSeconds: 3600 }], perIp: [{ count: 9, windowSeconds: 60 }] },
  brake: {
    perDay: 3,
    perCountryPerDay: 9,
    perPrefix: [{ count: 9, windowSeconds: 60 }],
    unused: { share: 0.5, least: 9 },
  },
};
const request = codeRequest(phone, noon, limits);

/** Counters as the store would keep them. */
function createCounters() {
  const values = new Map<string, unknown>();
  const read = (id: string) => values.get(id);
  const send = (given = request) => {
    const counts = countSendRequest(given, read, true);
    for (const { id, value } of counts) values.set(id, value);
    return counts;
  };
  return { read, send };
}

describe('a request for a message', () => {
  it('is refused for its captcha first, then by the limits, then by the brake', () => {
    const { read, send } = createCounters();
    assert.equal(judgeSend(request, false, read), undefined);
    assert.deepEqual(judgeSend(request, true, read), { code: 'CAPTCHA_INVALID', detail: {} });
    send();
    send();
    assert.equal(judgeSend(request, false, read)?.code, 'OTP_SEND_LIMIT');
    const other = codeRequest('+491520000001', noon, limits);
    assert.equal(judgeSend(other, false, read), undefined);
    send(other);
    const braked = judgeSend(codeRequest('+491530000001', noon, limits), false, read);
    assert.deepEqual([braked?.code, braked?.rule], ['SMS_SUSPENDED', 'day']);
    const limited = judgeSend(request, false, read);
    assert.deepEqual([limited?.code, limited?.rule], ['OTP_SEND_LIMIT', undefined]);
    assert.equal(judgeSend(request, true, read)?.code, 'CAPTCHA_INVALID');
  });

  it('to a test recipient is never limited, and counts nothing', () => {
    const free = linkRequest(asEmailKey('a@b.c'), noon);
    const { read } = createCounters();
    assert.deepEqual(sendRequestIds(free), []);
    assert.equal(judgeSend(free, false, read), undefined);
    assert.deepEqual(countSendRequest(free, read, false), []);
    assert.deepEqual(acceptedEvents(free, read), [{ ...free.audit, now: noon }]);
  });

  it('counts on each of its counters, and on no other', () => {
    const counts = createCounters().send();
    const ids = sendRequestIds(request).filter((id) => id !== undefined);
    assert.deepEqual(counts.map(({ id }) => id).sort(), ids.sort());
    const off = codeRequest(phone, noon);
    assert.deepEqual(
      countSendRequest(off, () => undefined, true),
      [],
    );
    assert.deepEqual(
      counts.filter(({ id }) => id.startsWith('sms:')).map(({ value, endsAt }) => [value, endsAt]),
      [
        [1, noon + 2 * day],
        [1, noon + 2 * day],
      ],
    );
  });

  it('writes down the last send that the limit of the recipient allows, and only that one', () => {
    const { read, send } = createCounters();
    const kinds = () => acceptedEvents(request, read).map(({ kind }) => kind);
    send();
    assert.deepEqual(kinds(), ['otp.requested']);
    send();
    assert.deepEqual(kinds(), ['limits.reached', 'otp.requested']);
    assert.deepEqual(acceptedEvents(request, read)[0]?.detail, { country: 'DE' });
  });

  it('writes down a refusal of the brake, and no other', () => {
    const detail = { retryAfterSeconds: 5 };
    assert.equal(refusedEvent(request, { code: 'OTP_SEND_LIMIT', detail }), undefined);
    const event = { kind: 'sms.suspended', detail: { country: 'DE', rule: 'day' }, now: noon };
    assert.deepEqual(refusedEvent(request, { code: 'SMS_SUSPENDED', detail, rule: 'day' }), event);
  });

  it('opens a challenge, or repeats the code of one that is open', () => {
    const { challenge: asked } = request;
    const first = openCode(undefined, asked, noon);
    const { id, nonce, secretId } = asked.seed;
    const source = { challenge: { id, nonce, secretId }, expiresAt: noon + 5 * minute };
    assert.deepEqual([first.isNew, first.source], [true, source]);
    const again = openCode(first.challenge, { ...asked, seed: newChallengeSeed() }, noon + minute);
    assert.deepEqual([again.isNew, again.source], [false, { ...source, expiresAt: noon + 6 * minute }]);
    const late = openCode(first.challenge, { ...asked, seed: newChallengeSeed() }, noon + otpPolicy.lifeSeconds * 1000);
    assert.equal(late.isNew, true);
  });
});

describe('a code that was used', () => {
  it('counts in the slot in which it was opened', () => {
    const opened = countSendRequest(request, () => undefined, true).find(({ id }) => id === usageCounterId('DE'));
    const used = countUsedCode('DE', () => opened?.value, noon, noon + hour);
    const slot = noon / 600_000;
    assert.deepEqual(used, { id: usageCounterId('DE'), value: [[slot, 1, 1, 1]], endsAt: noon + hour + day });
    assert.deepEqual(countUsedCode('DE', () => undefined, noon, noon).value, [[slot, 0, 1, 0]]);
  });
});

describe('a suspension', () => {
  const suspension = { rule: 'country', country: 'DE', until: noon + 9, now: noon } as const;
  const count = { id: 'sms-suspended:country:DE', value: noon + 9, endsAt: noon + 9 };

  it('is written down once, until it ends', () => {
    const note = judgeSuspension(undefined, suspension);
    const event = { kind: 'spend.suspended', detail: { rule: 'country', country: 'DE' }, now: noon };
    assert.deepEqual(note, { count, event });
    assert.equal(judgeSuspension(noon + 1, suspension), undefined);
    assert.deepEqual(judgeSuspension(noon, suspension), note);
  });

  it('of all countries names none', () => {
    assert.equal(suspensionId('day', 'DE'), 'sms-suspended:day');
    assert.deepEqual(judgeSuspension(undefined, { ...suspension, rule: 'day' })?.event.detail, { rule: 'day' });
  });
});
