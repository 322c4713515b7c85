// The client changes the number of its user: at once, or later where the user was proved by e-mail.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSignedIn } from '../helpers/client/stage.ts';
import { codeIn, messagesTo, newAddress } from '../helpers/people/users.ts';
import { newPhone } from '../helpers/requests/api.ts';
import { setStage } from '../helpers/services/stage.ts';
import { waitUntil } from '../helpers/wait-until.ts';

describe('a change of the number by the client', () => {
  const stage = setStage('sqlite');
  /** The code in the newest message, when so many have arrived. */
  const codeAfter = (messages: number, to: string) =>
    waitUntil(`${messages} messages to ${to}`, async () => {
      const all = await messagesTo(stage.url, to);
      return all.length >= messages && all[0] !== undefined ? codeIn(all[0]) : undefined;
    });

  it('the client sends the code, changes the number, and stays signed in', async () => {
    const { gatehouse } = await createSignedIn(stage.url);
    const phone = newPhone();
    await gatehouse.phone.sendChangeCode(phone);
    const changed = await gatehouse.phone.change(phone, await codeAfter(1, phone));
    assert.deepEqual(changed, await gatehouse.me());
    assert.equal(changed.phone, phone);
    assert.equal('effectiveAt' in changed, false);
  });

  it('the client learns when the change takes effect if its user was proved by e-mail', async () => {
    const { gatehouse, phone: own } = await createSignedIn(stage.url);
    const [address, phone] = [newAddress(), newPhone()];
    await gatehouse.email.sendCode(address);
    await gatehouse.email.bind(address, await codeAfter(1, address));
    stage.clock.advance(601);
    await gatehouse.withProof(
      () => gatehouse.phone.sendChangeCode(phone),
      async ({ send }) => {
        const known = (await messagesTo(stage.url, address)).length;
        await send('email');
        return codeAfter(known + 1, address);
      },
    );
    const changed = await gatehouse.phone.change(phone, await codeAfter(1, phone));
    assert.ok('effectiveAt' in changed);
    assert.deepEqual([changed.phone, (await gatehouse.me()).phone], [phone, own]);
    assert.equal(Date.parse(changed.effectiveAt), stage.clock.now() + 72 * 3_600_000);
  });
});
