// GET /api/service/events: the events of webhooks, page by page, and the refusals of a cursor or a limit.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { newId } from '../../../../src/kernel/crypto/random.ts';
import { createServiceKey } from '../../../helpers/people/service-keys.ts';
import { enter, me, outcomeOf } from '../../../helpers/people/users.ts';
import { call } from '../../../helpers/requests/api.ts';
import { tierStoreKinds } from '../../../helpers/services/gatehouse.ts';
import { setStage } from '../../../helpers/services/stage.ts';

type Event = { id: string; type: string; version: number; timestamp: string; data: { userId: string } };

for (const kind of tierStoreKinds) {
  describe(`events for the back end, on ${kind}`, () => {
    const stage = setStage(kind);
    let key: string;
    before(async () => {
      key = await createServiceKey(stage, ['events:read']);
    });
    const ask = (query: string) => call(stage.url, 'GET', `/api/service/events${query}`, { token: key });
    const read = async (query: string): Promise<{ events: Event[]; next: string }> => {
      const reply = await ask(query);
      assert.equal(reply.status, 200, reply.body.message);
      return reply.body.data;
    };
    const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

    it('the back end reads what users did, in order, and goes on from its cursor', async () => {
      const { next: start } = await read('?limit=1000');
      const { JWT } = await enter(stage.url);
      const { id } = (await me(stage.url, JWT)).body.data;
      const first = await read(`?after=${start}&limit=1`);
      const second = await read(`?after=${first.next}`);
      const [created, signedIn] = [...first.events, ...second.events];
      assert.deepEqual([first.events.length, second.events.length], [1, 1]);
      assert.deepEqual(Object.keys(created ?? {}), ['id', 'type', 'version', 'timestamp', 'data']);
      assert.deepEqual([created?.type, created?.version, created?.data], ['user.created', 1, { userId: id }]);
      assert.deepEqual([signedIn?.type, signedIn?.data.userId], ['user.signed_in', id]);
      assert.deepEqual(await read(`?after=${second.next}`), { events: [], next: second.next });
      await call(stage.url, 'POST', '/api/auth/logout', { token: JWT });
      const { events } = await read(`?after=${second.next}`);
      assert.deepEqual(
        events.map(({ type, data }) => [type, Object.keys(data)]),
        [['user.sessions_ended', ['userId', 'sessionId']]],
      );
      assert.ok((await read('')).events.some((event) => event.id === created?.id));
    });

    it('a limit beyond the largest page gives that page; one that is no number and a text that is no cursor are refused', async () => {
      for (const limit of ['1001', '100000']) assert.equal(outcomeOf(await ask(`?limit=${limit}`)), '200', limit);
      for (const limit of ['0', '-1', '1.5', 'x', ''])
        assert.equal(outcomeOf(await ask(`?limit=${limit}`)), '400 REQUEST_INVALID', limit);
      for (const after of ['', 'x', cursorOf(`${newId()} x`), 'x'.repeat(200)]) {
        const reply = await ask(`?after=${after}`);
        assert.equal(outcomeOf(reply), '400 REQUEST_INVALID', after);
        assert.match(reply.body.message, /after/);
      }
    });

    it('a cursor of another era, and one beyond the newest event, have expired', async () => {
      const { next } = await read('');
      const [era] = Buffer.from(next, 'base64url').toString().split(' ');
      for (const text of [`${newId()} 0`, `${era} 999999999`])
        assert.equal(outcomeOf(await ask(`?after=${cursorOf(text)}`)), '410 CURSOR_EXPIRED', text);
    });

    it('a key without the scope events:read is refused', async () => {
      const other = await createServiceKey(stage, ['users:read', 'files:read']);
      const reply = await call(stage.url, 'GET', '/api/service/events', { token: other });
      assert.equal(outcomeOf(reply), '403 SERVICE_SCOPE_MISSING');
    });
  });
}
