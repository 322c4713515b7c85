// Contract of SignInStore: wrong codes of one recipient, counted over all codes.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { LimitRule } from '../../src/abuse/limits.ts';
import { budgetIds } from '../../src/auth/codes/attempt-budget.ts';
import { markWith } from '../../src/kernel/crypto/recipient-mark.ts';
import { maskPhone } from '../../src/kernel/text/mask.ts';
import { asPhone } from '../helpers/people/ids.ts';
import {
  attempt,
  codeRequest,
  day,
  hour,
  markKey,
  newPhone,
  noon,
  phoneSignIn,
  rightAttempt,
  tryCode,
} from '../helpers/store/fixtures.ts';
import { onEveryStore } from '../helpers/store/test-store.ts';
import { sweepAll } from './operations/sweep-all.ts';

const threeADay: readonly LimitRule[] = [{ count: 3, windowSeconds: 86_400 }];

onEveryStore('failed guesses for a recipient', (open) => {
  const guess = async (phone: string, now: number, failuresPerRecipient = threeADay) => {
    const { left, retryAfterSeconds } = await tryCode(open().ports, attempt(phone, now, { failuresPerRecipient }));
    return left === undefined ? retryAfterSeconds : 'counted';
  };
  const ask = (phone: string, now: number) => open().ports.sendRequests.request(codeRequest(phone, now));
  const prove = async (phone: string, now: number, failuresPerRecipient = threeADay) => {
    const { ports } = open();
    const given = await rightAttempt(ports, phone, now, attempt(phone, now, { failuresPerRecipient }));
    const outcome = await ports.signIns.signInWithPhone(phoneSignIn(given, asPhone(phone), now));
    assert.equal(outcome.kind, 'signed in');
  };

  it('the limit of guesses holds over all codes of a recipient, requested or not', async () => {
    const phone = newPhone();
    assert.equal(await guess(phone, noon), 'counted');
    await ask(phone, noon + hour);
    assert.equal(await guess(phone, noon + hour), 'counted');
    await ask(phone, noon + 2 * hour);
    assert.equal(await guess(phone, noon + 2 * hour), 'counted');
    await ask(phone, noon + 3 * hour);
    assert.equal(await guess(phone, noon + 3 * hour), (21 * hour) / 1000);
  });

  it('the next guess is allowed at the exact moment at which the window has moved on', async () => {
    const phone = newPhone();
    for (const at of [0, hour, 2 * hour]) assert.equal(await guess(phone, noon + at), 'counted');
    assert.equal(await guess(phone, noon + day - 1), 1);
    assert.equal(await guess(phone, noon + day), 'counted');
    assert.equal(await guess(phone, noon + day), hour / 1000);
    assert.equal(await guess(phone, noon + day + hour), 'counted');
  });

  it('a refused guess counts neither as a failure nor as an attempt', async () => {
    const phone = newPhone();
    await ask(phone, noon);
    for (let count = 0; count < 3; count++) await guess(phone, noon);
    for (let count = 0; count < 5; count++) assert.equal(await guess(phone, noon + count * 1000), 86_400 - count);
    const row = (await open().rows('challenges')).find(({ slot }) => slot === attempt(phone, noon).slot);
    assert.equal(row?.attempts, 3);
    assert.equal(await guess(phone, noon + day), 'counted');
  });

  it('a right code does not count as a failure', async () => {
    const phone = newPhone();
    for (let round = 0; round < 5; round++) await prove(phone, noon + round);
    for (let count = 0; count < 3; count++) assert.equal(await guess(phone, noon + 10 + count), 'counted');
    assert.equal(await guess(phone, noon + 20), 86_400);
  });

  it('a right code does not clear earlier failures', async () => {
    const phone = newPhone();
    await guess(phone, noon);
    await guess(phone, noon + hour);
    await prove(phone, noon + 2 * hour);
    assert.equal(await guess(phone, noon + 3 * hour), 'counted');
    assert.equal(await guess(phone, noon + 4 * hour), (20 * hour) / 1000);
  });

  it('a right code that is used again counts as a failure', async () => {
    const { ports } = open();
    const phone = newPhone();
    const given = await rightAttempt(ports, phone, noon, attempt(phone, noon, { failuresPerRecipient: threeADay }));
    const signIn = async () => (await ports.signIns.signInWithPhone(phoneSignIn(given, phone, noon))).kind;
    assert.deepEqual(await Promise.all([signIn(), signIn()]), ['signed in', 'lost']);
    for (let count = 0; count < 2; count++) assert.equal(await guess(phone, noon + count), 'counted');
    assert.equal(typeof (await guess(phone, noon + 2)), 'number');
  });

  it('guesses in one turn of the event loop are counted exactly', async () => {
    const phone = newPhone();
    const all = await Promise.all(Array.from({ length: 5 }, () => guess(phone, noon)));
    assert.deepEqual(all, ['counted', 'counted', 'counted', 86_400, 86_400]);
  });

  it('no guess is counted if the limit is off', async () => {
    const phone = newPhone();
    await guess(phone, noon, []);
    const ids = (await open().rows('limits')).map(({ id }) => id);
    assert.ok(!ids.includes(budgetIds(phone).failuresId));
  });

  it('failures are remembered for the longest window, even after a right code', async () => {
    const weekly = [...threeADay, { count: 4, windowSeconds: 7 * 86_400 }];
    const phone = newPhone();
    for (let count = 0; count < 3; count++) await guess(phone, noon, weekly);
    await prove(phone, noon + day, weekly);
    await sweepAll(open().store, noon + 4 * day);
    assert.equal(await guess(phone, noon + 4 * day, weekly), 'counted');
    assert.equal(await guess(phone, noon + 4 * day, weekly), (3 * day) / 1000);
  });

  it('the audit log has each failed guess and the exhausted code, but no right code and no refused guess', async () => {
    const phone = newPhone();
    const mark = markWith(markKey, phone);
    const at = noon + 40 * day;
    const given = await rightAttempt(open().ports, phone, at);
    for (let count = 0; count < 6; count++) await tryCode(open().ports, attempt(phone, at + count));
    await prove(phone, at + hour, []);
    const again = { ...given, now: at + hour + 1 };
    assert.equal((await open().ports.signIns.signInWithPhone(phoneSignIn(again, phone, at + hour + 1))).kind, 'lost');
    const events = (await open().rows('audit_events')).filter(({ recipient }) => recipient === mark);
    const recorded = events
      .toSorted((a, b) => a.created_at - b.created_at)
      .map(({ kind, detail }) => [kind, JSON.parse(detail)]);
    const about = { phone: maskPhone(phone), recipient: mark, ip: '192.0.2.1' };
    assert.deepEqual(recorded, [
      ...Array.from({ length: 4 }, () => ['otp.failed', { ...about, reason: 'wrong' }]),
      ['otp.exhausted', { ...about, reason: 'wrong' }],
      ['otp.failed', { ...about, reason: 'used' }],
    ]);
  });

  it('the audit log has at most sixty failed guesses a minute over all recipients', async () => {
    const at = noon + 50 * day;
    await Promise.all(Array.from({ length: 90 }, () => guess(newPhone(), at)));
    const written = (now: number) =>
      open().query(`select 1 from audit_events where kind = 'otp.failed' and created_at = ${now}`);
    assert.equal((await written(at)).length, 60);
    await guess(newPhone(), at + 60_000);
    assert.equal((await written(at + 60_000)).length, 1);
  });
});
