// Webhooks of many users at one receiver that is slow for one of them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askStore } from '../../helpers/databases/raw-store.ts';
import { enter, outcomeOf } from '../../helpers/people/users.ts';
import { newSigningKey, type ReceivedEvent, setWebhookReceiver } from '../../helpers/people/webhook-receiver.ts';
import { call } from '../../helpers/requests/api.ts';
import { storeFile } from '../../helpers/requests/upload.ts';
import { tierStoreKinds } from '../../helpers/services/gatehouse.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const key = newSigningKey();
/** No post of these tests ends by itself. */
const patient = { times: { webhooks: { pollMilliseconds: 25, sendMilliseconds: 100_000, leaseSeconds: 400 } } };
const rounds = 150;

for (const kind of tierStoreKinds) {
  describe(`webhooks at a slow receiver, on ${kind}`, () => {
    const receiver = setWebhookReceiver(key);
    const stage = setStage(kind, () => ({ WEBHOOK_URL: receiver.url(), WEBHOOK_SECRET: key }), patient);

    it('hundreds of events of one user, which a receiver takes one by one, delay no event of another, and keep their order', async () => {
      const slow = await enter(stage.url);
      const [
        {
          data: { userId },
        } = assert.fail(),
      ] = await receiver.expect(1, ({ type }) => type === 'user.created');
      const ofSlow = ({ data }: ReceivedEvent) => data.userId === userId;
      receiver.answer((event) => (ofSlow(event) ? 'hold' : 204));
      const text = { purpose: 'document', name: 'a.txt', type: 'text/plain', bytes: Buffer.from('a') };
      const file = `/api/file/${(await storeFile(stage.url, { ...text, token: slow.JWT })).id}`;
      for (let round = 0; round < rounds; round++) {
        assert.equal(outcomeOf(await call(stage.url, 'DELETE', file, { token: slow.JWT })), '200');
        assert.equal(outcomeOf(await call(stage.url, 'POST', `${file}/restore`, { token: slow.JWT })), '200');
      }
      const isQueued = async () =>
        Number((await askStore(stage.env, 'select count(*) as n from webhooks where done_at is null'))[0]?.n);
      assert.ok((await isQueued()) >= 2 * rounds);
      // Each of many users passes while the first event of the slow one has no answer yet.
      for (let count = 0; count < 3; count++) {
        const known = receiver.received.length;
        await Promise.all(Array.from({ length: 3 }, () => enter(stage.url)));
        const passed = await receiver.expect(6, (event) => !ofSlow(event) && receiver.received.indexOf(event) >= known);
        assert.equal(passed.length, 6);
      }
      assert.ok(receiver.received.filter(ofSlow).length <= 3);
      receiver.answer(204);
      receiver.release();
      await waitUntil('every event is delivered', async () => (await isQueued()) === 0);
      const events = receiver.received.filter(ofSlow).map(({ type }) => type);
      const expected = Array.from({ length: rounds }, () => ['file.deleted', 'file.restored']).flat();
      assert.deepEqual(events, ['user.created', 'user.signed_in', 'file.stored', ...expected]);
    });
  });
}
