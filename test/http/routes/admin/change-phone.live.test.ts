// Staff start the change of a lost number: the wait, the notices, who is notified what, and the removal of an e-mail address.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askStore } from '../../../helpers/databases/raw-store.ts';
import { enterStaff, issueTo } from '../../../helpers/people/staff.ts';
import { bindAddress, enter, me, messagesTo, newAddress } from '../../../helpers/people/users.ts';
import { newPhone } from '../../../helpers/requests/api.ts';
import { storeKinds } from '../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../helpers/services/stage.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';

const wait = 72 * 3600;

for (const kind of storeKinds) {
  describe(`changes of number by staff, on ${kind}`, () => {
    const stage = setStage(kind, { NOTICES: 'mail' });
    /** Waits for a message with these words and the link “this was not me”. */
    const noticeTo = (to: string, words: RegExp) =>
      waitUntil(`a notice to ${to}`, async () =>
        (await messagesTo(stage.url, to)).find(({ text }) => words.test(text) && text.includes('/not-me#')),
      );
    const begin = async () => {
      const { ask } = await enterStaff(stage.url, (await issueTo(stage.service, stage.clock, 'Ada')).token);
      const user = await enter(stage.url);
      const email = newAddress();
      await bindAddress(stage.url, user.JWT, email);
      const { id } = (await me(stage.url, user.JWT)).body.data;
      const change = (phone: unknown, reason: unknown = 'ticket 7') =>
        ask(`POST /users/${id}/phone-change`, { phone, reason });
      const cancel = (reason: unknown = 'ticket 7') => ask(`DELETE /users/${id}/phone-change`, { reason });
      const shown = async () => (await ask(`GET /users/${id}`)).data;
      const events = async () =>
        (await ask('GET /audit')).data.events.filter((event: { userId: string }) => event.userId === id);
      return { ask, user, email, id, change, cancel, shown, events };
    };

    it('staff schedule a number with a reason: nothing changes before the wait, both channels are notified, and the page shows it masked', async () => {
      const { user, email, id, change, shown, events, ask } = await begin();
      const next = newPhone();
      assert.equal((await change(next)).outcome, '200');
      await noticeTo(user.phone, /number of your account will change/);
      await noticeTo(email, /will change to/);
      const masked = `${next.slice(0, 3)}•••${next.slice(-2)}`;
      const effectiveAt = new Date(stage.clock.now() + wait * 1000).toISOString();
      const { user: found, phoneChange, lastUsedAt } = await shown();
      assert.deepEqual(phoneChange, { phone: masked, effectiveAt });
      assert.equal(found.phone, `${user.phone.slice(0, 3)}•••${user.phone.slice(-2)}`);
      assert.ok(Date.parse(lastUsedAt) <= stage.clock.now());
      assert.equal((await me(stage.url, user.JWT)).body.data.phone, user.phone);
      const revealed = (await ask(`POST /users/${id}/reveal`, { reason: 'they called' })).data;
      assert.deepEqual(revealed.phoneChange, { phone: next, effectiveAt });
      const exported = (await ask(`POST /users/${id}/export`, { reason: 'they called' })).data;
      assert.deepEqual([exported.phoneChange, exported.lastUsedAt], [{ phone: next, effectiveAt }, lastUsedAt]);
      const [event] = (await events()).filter((one: { kind: string }) => one.kind === 'phone.change-scheduled');
      assert.deepEqual([event.detail.admin, event.detail.why], ['Ada', 'ticket 7']);
      assert.ok(!JSON.stringify(event).includes(next));
    });

    it('staff are told why a number cannot be scheduled', async () => {
      const { user, change, shown } = await begin();
      const other = await enter(stage.url);
      assert.equal((await change(other.phone)).outcome, '409 PHONE_TAKEN');
      assert.equal((await change(user.phone)).outcome, '400 REQUEST_INVALID');
      assert.equal((await change('+1')).outcome, '400 PHONE_INVALID');
      assert.equal((await change('+49 900 1234567')).outcome, '422 PHONE_NOT_SUPPORTED');
      assert.equal((await change(newPhone(), ' ')).outcome, '400 REQUEST_INVALID', 'no reason');
      assert.equal((await shown()).phoneChange, null);
      for (let count = 0; count < 3; count++) assert.equal((await change(newPhone())).outcome, '200');
      assert.equal((await change(newPhone())).outcome, '429 RATE_LIMITED');
    });

    it('staff cancel a scheduled change, both channels are notified, and a second cancellation finds none', async () => {
      const { user, email, change, cancel, shown, events } = await begin();
      await change(newPhone());
      assert.deepEqual((await cancel()).data, { cancelled: true });
      await noticeTo(user.phone, /cancelled/);
      await noticeTo(email, /cancelled/);
      assert.equal((await shown()).phoneChange, null);
      assert.deepEqual((await cancel()).data, { cancelled: false });
      assert.equal((await cancel('')).outcome, '400 REQUEST_INVALID');
      const mine = (await events()).filter((one: { kind: string }) => one.kind === 'phone.change-cancelled');
      assert.deepEqual(
        mine.map(({ detail }: { detail: Record<string, string> }) => [detail.how, detail.admin, detail.why]),
        [['staff', 'Ada', 'ticket 7']],
      );
    });

    it('staff remove the e-mail address of a user, which is notified', async () => {
      const { user, email, id, ask, events } = await begin();
      const remove = () => ask(`POST /users/${id}/email/remove`, { reason: 'not theirs' });
      assert.deepEqual((await remove()).data, { removed: true });
      await noticeTo(email, /removed/);
      assert.equal((await me(stage.url, user.JWT)).body.data.email, null);
      assert.deepEqual((await remove()).data, { removed: false });
      const [event] = (await events()).filter((one: { kind: string }) => one.kind === 'email.removed');
      assert.deepEqual([event.detail.admin, event.detail.why], ['Ada', 'not theirs']);
    });

    it('an e-mail address that is the only way in is not removed', async () => {
      const { user, email, id, ask } = await begin();
      await askStore(stage.env, `update users set phone = null where id = '${id}'`);
      assert.equal((await ask(`POST /users/${id}/email/remove`, { reason: 'a test' })).outcome, '409 LAST_WAY_IN');
      assert.equal((await me(stage.url, user.JWT)).body.data.email, email);
    });

    it('acts on a user who is gone are not found', async () => {
      const { ask, change, cancel, id } = await begin();
      await ask(`POST /users/${id}/delete`, { reason: 'a test', confirm: id.slice(-4) });
      assert.equal((await change(newPhone())).outcome, '404 NOT_FOUND');
      assert.equal((await cancel()).outcome, '404 NOT_FOUND');
      assert.equal((await ask(`POST /users/${id}/email/remove`, { reason: 'a test' })).outcome, '404 NOT_FOUND');
    });
  });
}
