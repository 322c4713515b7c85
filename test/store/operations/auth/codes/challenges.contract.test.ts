// Contract of SignInStore and SendRequestStore: how codes are opened, repeated, guessed and used up.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { asPhone } from '../../../../helpers/people/ids.ts';
import {
  attempt,
  codeRequest,
  minute,
  newPhone,
  noon,
  otpPolicy,
  phoneSignIn,
  rightAttempt,
  tryCode,
} from '../../../../helpers/store/fixtures.ts';
import { onEveryStore } from '../../../../helpers/store/test-store.ts';

onEveryStore('code challenges', (open) => {
  const ask = async (phone: string, now: number) => {
    const request = codeRequest(phone, now);
    assert.equal(await open().ports.sendRequests.request(request), undefined);
    return request.challenge?.seed.id;
  };
  const guess = (phone: string, now: number) => tryCode(open().ports, attempt(phone, now));
  const rowOf = async (phone: string) =>
    (await open().rows('challenges')).find(({ slot }) => slot === attempt(phone, noon).slot);
  /** The challenge after a wrong code that was counted on it. */
  const guessed = async (phone: string, now: number) => {
    const { left } = await guess(phone, now);
    const row = await rowOf(phone);
    assert.equal(left, otpPolicy.attempts - (row?.attempts ?? 0));
    return row ?? assert.fail();
  };
  const consume = async (phone: string, now: number) => {
    const given = await rightAttempt(open().ports, phone, now);
    const outcome = await open().ports.signIns.signInWithPhone(phoneSignIn(given, asPhone(phone), now));
    assert.equal(outcome.kind, 'signed in');
  };

  it('an attempt on a code is counted and stored before the answer', async () => {
    const phone = newPhone();
    const id = await ask(phone, noon);
    for (const attempts of [1, 2, 3]) {
      const challenge = await guessed(phone, noon + attempts);
      assert.deepEqual([challenge.id, challenge.state, challenge.attempts], [id, 'pending', attempts]);
      assert.equal((await rowOf(phone))?.attempts, attempts);
    }
  });

  it('a code allows exactly as many attempts as the policy says, then returns a wait that does not reveal when the code ends', async () => {
    const phone = newPhone();
    await ask(phone, noon);
    for (let left = otpPolicy.attempts; left > 0; left--) await guessed(phone, noon);
    assert.deepEqual(await guess(phone, noon + 60_000), { retryAfterSeconds: 300 });
    assert.equal((await rowOf(phone))?.attempts, otpPolicy.attempts);
  });

  it('a resend repeats the code and shares its attempts', async () => {
    const phone = newPhone();
    const first = await ask(phone, noon);
    await guessed(phone, noon);
    await ask(phone, noon + minute);
    const challenge = await guessed(phone, noon + minute);
    assert.deepEqual([challenge.id, challenge.attempts, challenge.opened_at], [first, 2, noon]);
  });

  it('each resend prolongs the code, but never past its cap', async () => {
    const phone = newPhone();
    await ask(phone, noon);
    assert.equal((await rowOf(phone))?.expires_at, noon + 5 * minute);
    await ask(phone, noon + 4 * minute);
    assert.equal((await rowOf(phone))?.expires_at, noon + 9 * minute);
    await ask(phone, noon + 8 * minute);
    assert.equal((await rowOf(phone))?.expires_at, noon + 10 * minute);
    await ask(phone, noon + 10 * minute - 1);
    assert.equal((await rowOf(phone))?.expires_at, noon + 10 * minute);
  });

  it('a request after the end of a code opens a new code with fresh attempts', async () => {
    const phone = newPhone();
    await ask(phone, noon);
    await guessed(phone, noon);
    const next = await ask(phone, noon + 5 * minute);
    const challenge = await guessed(phone, noon + 5 * minute);
    assert.deepEqual([challenge.id, challenge.attempts], [next, 1]);
  });

  it('a request opens a new code if the old one is consumed or has no attempts left', async () => {
    const phone = newPhone();
    const first = await ask(phone, noon);
    for (let left = otpPolicy.attempts; left > 0; left--) await guess(phone, noon);
    const second = await ask(phone, noon + 1);
    assert.equal((await rowOf(phone))?.id, second);
    await consume(phone, noon + 2);
    const third = await ask(phone, noon + 3);
    assert.equal((await rowOf(phone))?.id, third);
    assert.equal(new Set([first, second, third]).size, 3);
  });

  it('a request opens a new code if the stored one is from the far future', async () => {
    const phone = newPhone();
    await ask(phone, noon + 2 * minute);
    const next = await ask(phone, noon);
    assert.equal((await rowOf(phone))?.id, next);
  });

  it('guesses are counted the same whether a code was requested or not', async () => {
    const phone = newPhone();
    for (const attempts of [1, 2, 3, 4, 5]) {
      const challenge = await guessed(phone, noon + attempts);
      assert.deepEqual([challenge.state, challenge.attempts], ['phantom', attempts]);
    }
    assert.deepEqual(await guess(phone, noon + 1), { retryAfterSeconds: 300 });
    const later = await guessed(phone, noon + 1 + 5 * minute);
    assert.deepEqual([later.state, later.attempts], ['phantom', 1]);
  });

  it('a requested code replaces the phantom that counted guesses', async () => {
    const phone = newPhone();
    await guessed(phone, noon);
    const id = await ask(phone, noon);
    const challenge = await guessed(phone, noon);
    assert.deepEqual([challenge.id, challenge.state, challenge.attempts], [id, 'pending', 1]);
  });

  it('attempts after a consumed code count as guesses on a phantom', async () => {
    const phone = newPhone();
    await consume(phone, noon);
    const challenge = await guessed(phone, noon + 1);
    assert.deepEqual([challenge.state, challenge.attempts], ['phantom', 1]);
  });

  it('a late attempt is counted on the expired code itself, so that a right code can be recognised', async () => {
    const phone = newPhone();
    const id = await ask(phone, noon);
    const challenge = await guessed(phone, noon + 20 * minute);
    assert.deepEqual([challenge.id, challenge.state, challenge.attempts], [id, 'pending', 1]);
    for (let left = otpPolicy.attempts - 1; left > 0; left--) await guess(phone, noon + 20 * minute);
    assert.equal((await guessed(phone, noon + 20 * minute)).state, 'phantom');
  });

  it('attempts in one turn of the event loop are counted one after the other', async () => {
    const phone = newPhone();
    await ask(phone, noon);
    const all = await Promise.all(Array.from({ length: 8 }, () => guess(phone, noon)));
    assert.deepEqual(
      all.map(({ left }) => left),
      [4, 3, 2, 1, 0, undefined, undefined, undefined],
    );
  });

  it('challenge slots that differ in one byte are counted separately', async () => {
    const { ports } = open();
    const slots = ['slot:a', 'slot:A', 'slot:ß', 'slot:ss', 'slot:é', 'slot:e\u0301', 'slot:a '];
    const counted = await Promise.all(slots.map((slot) => tryCode(ports, { ...attempt(slot, noon), slot })));
    assert.deepEqual(
      counted,
      slots.map(() => ({ left: 4 })),
    );
    assert.deepEqual(await tryCode(ports, { ...attempt('', noon), slot: 'slot:A' }), { left: 3 });
  });
});
