// The client and a recycled number: the failed sign-in carries a ticket, and the ticket starts a new account.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GatehouseError } from '../../client/src/gatehouse-error.ts';
import { createClient } from '../helpers/client/stage.ts';
import { askForCode, askForLink, bindAddress, codeIn, enter, messagesTo, newAddress } from '../helpers/people/users.ts';
import { newPhone } from '../helpers/requests/api.ts';
import { setStage } from '../helpers/services/stage.ts';
import { waitUntil } from '../helpers/wait-until.ts';

describe('the client and a recycled number', () => {
  const stage = setStage('sqlite');

  it('a failed sign-in carries the ticket, claiming with it signs in a new user, and the owner proves by e-mail', async () => {
    const phone = newPhone();
    const { JWT } = await enter(stage.url, phone);
    const address = newAddress();
    await bindAddress(stage.url, JWT, address);
    stage.clock.advance(181 * 86_400);
    const { gatehouse } = createClient(stage.url);
    const failure = await gatehouse.phone
      .signIn(phone, await askForCode(stage.url, phone))
      .catch((error: unknown) => error);
    assert.ok(failure instanceof GatehouseError);
    assert.deepEqual([failure.code, failure.status], ['PHONE_NEEDS_PROOF', 409]);
    assert.equal(await gatehouse.isSignedIn(), false);
    const ticket = failure.proofTicket ?? assert.fail('no ticket');
    await gatehouse.phone.claim(ticket);
    const notice = await waitUntil('the notice', async () =>
      (await messagesTo(stage.url, address)).find(({ subject }) => subject?.endsWith('belongs to somebody else')),
    );
    assert.match(notice.text, /add a number/);
    const { phone: own, email } = await gatehouse.me();
    assert.deepEqual([own, email], [phone, null]);
    await assert.rejects(createClient(stage.url).gatehouse.phone.claim(ticket), {
      code: 'PROOF_TICKET_INVALID',
      proofTicket: undefined,
    });

    const owner = createClient(stage.url);
    await owner.gatehouse.email.signIn(await askForLink(stage.url, address));
    assert.equal((await owner.gatehouse.me()).phone, null);
    await assert.rejects(owner.gatehouse.email.remove(), { code: 'LAST_WAY_IN', status: 409 });
    stage.clock.advance(601);
    const asked: string[] = [];
    const known = new Set((await messagesTo(stage.url, address)).map(({ id }) => id));
    await owner.gatehouse.withProof(
      () => owner.gatehouse.deleteAccount(),
      async ({ via }) => {
        asked.push(via);
        const mail = await waitUntil('a code', async () =>
          (await messagesTo(stage.url, address)).find(({ id }) => !known.has(id)),
        );
        return codeIn(mail);
      },
    );
    assert.deepEqual(asked, ['email'], 'without a number the code goes to the address');
  });
});
