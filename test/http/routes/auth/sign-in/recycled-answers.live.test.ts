// Whether an account was unused for long is shown only to whoever enters the right code.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  askForCode,
  bindAddress,
  comparable,
  enter,
  newAddress,
  otherThan,
  outcomeOf,
} from '../../../../helpers/people/users.ts';
import { call, newPhone, type Reply } from '../../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../../helpers/services/stage.ts';

for (const kind of tierStoreKinds) {
  describe(`wrong codes for a number whose account was unused for long, on ${kind}`, () => {
    const stage = setStage(kind, { PHONE_RECYCLED_AFTER: '2d' });
    const logIn = (phone: string, otp: string): Promise<Reply> =>
      call(stage.url, 'POST', '/api/auth/phone/login', { body: { phone, otp } });

    it('wrong codes for a recycled number, one in use and an unknown one are answered with the same bytes', async () => {
      const unused = await enter(stage.url);
      await bindAddress(stage.url, unused.JWT, newAddress());
      stage.clock.advance(3 * 86_400);
      const inUse = await enter(stage.url);
      await bindAddress(stage.url, inUse.JWT, newAddress());
      const phones = [unused.phone, inUse.phone, newPhone()];
      const answers: unknown[][] = [];
      const codes: string[] = [];
      for (const phone of phones) {
        const code = await askForCode(stage.url, phone);
        codes.push(code);
        const replies: Reply[] = [];
        for (let count = 0; count < 4; count++) replies.push(await logIn(phone, otherThan(code)));
        assert.deepEqual(new Set(replies.map(outcomeOf)), new Set(['400 OTP_INVALID']));
        answers.push(replies.map(comparable));
      }
      for (const other of answers.slice(1)) assert.deepEqual(other, answers[0]);
      const right = await Promise.all(phones.map((phone, index) => logIn(phone, codes[index] ?? '')));
      assert.deepEqual(right.map(outcomeOf), ['409 PHONE_NEEDS_PROOF', '200', '200']);
    });
  });
}
