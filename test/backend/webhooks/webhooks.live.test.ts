// Outgoing webhooks: what apps receive, signed, in order, with a constant id, whatever fails in between.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHttpEndpoint } from '../../../src/adapters/webhooks/http-endpoint.ts';
import { createOperatorPorts } from '../../../src/store/ports.ts';
import { liftSuspension } from '../../../src/support/lift-suspension.ts';
import { freePort } from '../../helpers/databases/postgres-server.ts';
import { askStore } from '../../helpers/databases/raw-store.ts';
import { setSmsRecorder } from '../../helpers/people/sms-recorder.ts';
import { bindAddress, enter, newAddress, outcomeOf } from '../../helpers/people/users.ts';
import { newSigningKey, setWebhookReceiver, type WebhookReceiver } from '../../helpers/people/webhook-receiver.ts';
import { call, newPhone, refresh, sendOtp } from '../../helpers/requests/api.ts';
import { storeFile } from '../../helpers/requests/upload.ts';
import { run } from '../../helpers/services/command-line.ts';
import {
  isolatedEnv,
  isRepeat,
  spawnGatehouse,
  startGatehouse,
  type TestEnv,
  tierStoreKinds,
} from '../../helpers/services/gatehouse.ts';
import { setStage } from '../../helpers/services/stage.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const key = newSigningKey();
/** No test waits for the next look of the worker. */
const quick = { times: { webhooks: { pollMilliseconds: 25 } } };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const subjectOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }).sub;

async function storePlan(url: string, token: string): Promise<string> {
  const plan = { name: 'secret plan.txt', bytes: Buffer.from('a plan') };
  return (await storeFile(url, { form: 'json', purpose: 'document', ...plan, token })).id;
}

/** The events received for one user, as type and data. */
async function about(receiver: WebhookReceiver, userId: string, count: number) {
  const events = await receiver.expect(count, ({ data }) => data.userId === userId);
  return events.map(({ type, data }) => ({ type, ...data }));
}

for (const kind of tierStoreKinds) {
  describe(`webhooks on ${kind}`, () => {
    const receiver = setWebhookReceiver(key);
    const second = setWebhookReceiver(key);
    const stage = setStage(kind, () => ({ WEBHOOK_URL: receiver.url(), WEBHOOK_SECRET: key }), quick);

    it('webhooks report the events of a user in order, by ids only', async () => {
      const { JWT, RT, phone } = await enter(stage.url);
      const userId = subjectOf(JWT);
      const address = newAddress();
      await bindAddress(stage.url, JWT, address);
      const fileId = await storePlan(stage.url, JWT);
      assert.equal(outcomeOf(await call(stage.url, 'DELETE', `/api/file/${fileId}`, { token: JWT })), '200');
      assert.equal(outcomeOf(await refresh(stage.url, RT)), '200');
      stage.clock.advance(31);
      const thief = { headers: { RT, 'user-agent': 'another program' } };
      const stolen = await call(stage.url, 'POST', '/api/auth/refresh-token', thief);
      assert.equal(outcomeOf(stolen), '401 REFRESH_TOKEN_REUSED');
      const again = await enter(stage.url, phone);
      assert.equal(outcomeOf(await call(stage.url, 'DELETE', '/api/auth/me', { token: again.JWT })), '200');
      const events = await about(receiver, userId, 8);
      const [, { sessionId: first } = assert.fail()] = events as { sessionId?: string }[];
      const { sessionId: next } = (events as { sessionId?: string }[])[6] ?? assert.fail();
      assert.match(String(first), uuid);
      assert.notEqual(first, next);
      assert.deepEqual(events, [
        { type: 'user.created', userId },
        { type: 'user.signed_in', userId, sessionId: first, method: 'sms' },
        { type: 'user.email_bound', userId },
        { type: 'file.stored', userId, fileId, purpose: 'document', size: 6 },
        { type: 'file.deleted', userId, fileId },
        { type: 'session.reused', userId, sessionId: first },
        { type: 'user.signed_in', userId, sessionId: next, method: 'sms' },
        { type: 'user.deleted', userId },
      ]);
      assert.deepEqual(receiver.refused, []);
      for (const { id, text, version, timestamp, secondsOld } of receiver.received) {
        assert.match(id, uuid);
        assert.equal(version, 1);
        assert.equal(new Date(timestamp).toISOString(), timestamp);
        assert.ok(Math.abs(secondsOld) < 60);
        for (const personal of [phone, phone.slice(-4), address, 'plan', '127.0.0.1', 'user-agent'])
          assert.ok(!text.replaceAll(/[0-9a-f]{4,}(-|")|fil_[\w-]{22}/g, '').includes(personal), text);
      }
    });

    it('a webhook is retried with the same id and text after an error, a cut connection and a redirect, and not before Retry-After', async () => {
      const answers = [
        500,
        'cut',
        { status: 307, headers: { location: second.url() } },
        { status: 503, headers: { 'retry-after': '3600' } },
      ] as const;
      let round = 0;
      receiver.answer(({ type }) => (type === 'user.created' ? (answers[round++] ?? 200) : 200));
      const { JWT } = await enter(stage.url);
      const userId = subjectOf(JWT);
      const startedAt = stage.clock.now();
      const isDone = () =>
        receiver.received.some(({ type, data }) => type === 'user.signed_in' && data.userId === userId);
      await waitUntil('the event after the retries', async () => {
        stage.clock.advance(120);
        return isDone();
      });
      assert.ok(stage.clock.now() - startedAt > 3_600_000);
      const events = await receiver.expect(6, ({ data }) => data.userId === userId);
      // Later events of the same user waited for it.
      assert.deepEqual(
        events.map(({ type }) => type),
        [...Array.from({ length: 5 }, () => 'user.created'), 'user.signed_in'],
      );
      const tries = events.slice(0, 5);
      assert.equal(new Set(tries.map(({ id }) => id)).size, 1);
      assert.equal(new Set(tries.map(({ text }) => text)).size, 1);
      assert.deepEqual(second.received, []);
      receiver.answer(204);
    });

    it('a webhook is parked after the last try, or at once when the receiver answers 410', async () => {
      receiver.answer(500);
      const { JWT } = await enter(stage.url);
      const mine = ({ type, data }: { type: string; data: Record<string, unknown> }) =>
        data.userId === subjectOf(JWT) && type === 'user.created';
      await receiver.expect(1, mine);
      await waitUntil('the failed try is recorded', async () => {
        const rows = await askStore(stage.env, "select * from webhooks where last_error = 'HTTP 500' and tries = 1");
        return rows.length === 1;
      });
      await askStore(
        stage.env,
        "update webhooks set tries = 12 where last_error = 'HTTP 500' and tries = 1 returning id",
      );
      const states = async () =>
        (await askStore(stage.env, 'select type, state, last_error from webhooks order by id desc limit 2')).map(
          ({ type, state, last_error: error }) => [type, state, error],
        );
      await waitUntil('the event is parked', async () => {
        stage.clock.advance(5);
        return (await states()).some(([, state]) => state === 'parked');
      });
      receiver.answer(410);
      await waitUntil('both events are parked', async () => {
        stage.clock.advance(5);
        return (await states()).every(([, state]) => state === 'parked');
      });
      assert.deepEqual(await states(), [
        ['user.signed_in', 'parked', 'HTTP 410'],
        ['user.created', 'parked', 'HTTP 500'],
      ]);
      receiver.answer(204);
      const [row] = await askStore(
        stage.env,
        "select event_id from webhooks where state = 'parked' order by id limit 1",
      );
      const replayed = await run(
        stage.env,
        'webhooks',
        'replay',
        String(row?.event_id),
        '--reason',
        'a test',
        '--json',
      );
      assert.deepEqual([replayed.code, replayed.data], [0, { events: 1 }], replayed.stderr);
      const [before, after] = await receiver.expect(3, mine).then((events) => [events[0], events.at(-1)]);
      assert.equal(after?.text, before?.text);
      assert.equal(after?.id, before?.id);
    });

    it('webhooks reach one receiver while another hangs, and carry signatures of the old and the new secret', async () => {
      receiver.answer('silence');
      const urls = `${receiver.url('/dead')} ${second.url('/alive')}`;
      await stage.restart({ WEBHOOK_URL: urls, WEBHOOK_SECRET: `${newSigningKey()} ${key}` });
      const users = await Promise.all([enter(stage.url), enter(stage.url), enter(stage.url)]);
      for (const { JWT } of users) {
        const events = await second.expect(2, ({ data }) => data.userId === subjectOf(JWT));
        assert.equal(events.length, 2);
        for (const { signature } of events) assert.match(signature, /^v1,[\w+/=]{44} v1,[\w+/=]{44}$/);
      }
      assert.deepEqual(second.refused, []);
    });

    it('no webhook is stored if no URL is set', async () => {
      await stage.restart({ WEBHOOK_URL: '', WEBHOOK_SECRET: '' });
      const count = async () => Number((await askStore(stage.env, 'select count(*) as n from webhooks'))[0]?.n);
      const before = await count();
      await enter(stage.url);
      assert.equal(await count(), before);
    });
  });

  describe(`webhooks of a suspended country, on ${kind}`, () => {
    const receiver = setWebhookReceiver(key);
    const sms = setSmsRecorder();
    const stage = setStage(
      kind,
      () => ({
        WEBHOOK_URL: receiver.url(),
        WEBHOOK_SECRET: key,
        SMS_URL: sms.url,
        SMS_DAILY_LIMIT_PER_COUNTRY: '1',
        SMS_LIMIT_PER_PREFIX: 'off',
      }),
      quick,
    );

    it('a suspended country is reported by webhook once until the spending brake is off again, however many sends are refused', async () => {
      assert.equal(outcomeOf(await sendOtp(stage.url, newPhone())), '200');
      for (let count = 0; count < 3; count++)
        assert.equal(outcomeOf(await sendOtp(stage.url, newPhone())), '503 SMS_SUSPENDED');
      stage.clock.advance(86_400);
      assert.equal(outcomeOf(await sendOtp(stage.url, newPhone())), '200');
      assert.equal(outcomeOf(await sendOtp(stage.url, newPhone())), '503 SMS_SUSPENDED');
      // Lifted by hand, the brake may trip again on the same day.
      const { limits } = createOperatorPorts(stage.service.store);
      await liftSuspension({ limits, clock: stage.clock }, { country: 'US', by: { actor: 'cli', why: 'a test' } });
      assert.equal(outcomeOf(await sendOtp(stage.url, newPhone())), '200');
      assert.equal(outcomeOf(await sendOtp(stage.url, newPhone())), '503 SMS_SUSPENDED');
      const events = await receiver.expect(3);
      assert.deepEqual(
        events.map(({ type, data }) => ({ type, ...data })),
        [
          { type: 'spend.suspended', rule: 'country', country: 'US' },
          { type: 'spend.suspended', rule: 'country', country: 'US' },
          { type: 'spend.suspended', rule: 'country', country: 'US' },
        ],
      );
      assert.notEqual(events[0]?.id, events[1]?.id);
    });
  });

  describe(`webhooks of two nodes, on ${kind}`, () => {
    const receiver = setWebhookReceiver(key);

    it('two nodes send each webhook once, and kill -9 loses none', async (context) => {
      const { env: own, dispose } = await isolatedEnv(kind, { WEBHOOK_URL: receiver.url(), WEBHOOK_SECRET: key });
      const env: TestEnv = { PUBLIC_URL: `http://localhost:${own.PORT}`, ...own };
      const nodes = await Promise.all([
        spawnGatehouse(env),
        spawnGatehouse({ ...env, PORT: String(await freePort()) }),
      ]);
      const running: { stop(): Promise<void> }[] = [];
      context.after(async () => {
        await Promise.all([...nodes.map((node) => node.stop('SIGKILL')), ...running.map((node) => node.stop())]);
        await dispose();
      });
      const users = await Promise.all(Array.from({ length: 12 }, (_, index) => enter(nodes[index % 2]?.url ?? '')));
      await receiver.expect(24);
      // An event that is not recorded as delivered is sent again after a kill.
      const open = async () => askStore(env, 'select event_id from webhooks where done_at is null');
      await waitUntil('every delivery is recorded', async () => (await open()).length === 0);
      receiver.answer('silence');
      const late = await enter(nodes[0]?.url ?? '');
      await receiver.expect(25);
      const delivered = receiver.received.slice(0, 24);
      assert.equal(new Set(delivered.map(({ id }) => id)).size, 24);
      assert.deepEqual(
        new Set(delivered.map(({ data }) => data.userId)),
        new Set(users.map(({ JWT }) => subjectOf(JWT))),
      );
      await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
      receiver.answer(204);
      // As if the leases of the killed nodes had ended.
      const left = await askStore(env, 'update webhooks set due_at = 0 where done_at is null returning event_id');
      assert.equal(left.length, 2);
      // The next node may post before its start is over.
      const known = receiver.received.length;
      const next = await startGatehouse(env);
      context.after(next.stop);
      await receiver.expect(known + 2);
      const events = receiver.received.slice(known);
      assert.deepEqual(
        events.map(({ type, data }) => [type, data.userId]),
        [
          ['user.created', subjectOf(late.JWT)],
          ['user.signed_in', subjectOf(late.JWT)],
        ],
      );
      assert.deepEqual(events.map(({ id }) => id).sort(), left.map((row) => String(row.event_id)).sort());
    });
  });
}

describe('the commands around webhooks', { skip: isRepeat }, () => {
  const receiver = setWebhookReceiver(key);
  const stage = setStage('sqlite', () => ({ WEBHOOK_URL: receiver.url(), WEBHOOK_SECRET: key }), quick);
  const webhooks = (...words: string[]) => run(stage.env, 'webhooks', ...words, '--json');

  it('the webhooks command lists events, replays all since a time, and tests a receiver', async () => {
    const { JWT } = await enter(stage.url);
    await about(receiver, subjectOf(JWT), 2);
    await waitUntil('both deliveries are recorded', async () => {
      const rows = await askStore(stage.env, "select * from webhooks where state = 'delivered'");
      return rows.length === 2;
    });
    const { data } = await webhooks('list');
    assert.deepEqual(
      data.webhooks.map(({ state, type, tries, host, error }: Record<string, unknown>) => [
        state,
        type,
        tries,
        host,
        error,
      ]),
      [
        ['delivered', 'user.signed_in', 1, new URL(receiver.url()).host, null],
        ['delivered', 'user.created', 1, new URL(receiver.url()).host, null],
      ],
    );
    assert.equal((await webhooks('replay', '--since', '1h', '--reason', 'a test')).code, 2);
    const again = await webhooks('replay', '--since', '1h', '--yes', '--reason', 'a test');
    assert.deepEqual(again.data, { events: 2 }, again.stderr);
    stage.clock.advance(600);
    const events = await receiver.expect(4);
    assert.deepEqual(
      events.slice(2).map(({ id, type }) => [id, type]),
      events.slice(0, 2).map(({ id, type }) => [id, type]),
    );
    const tried = await webhooks('test');
    assert.deepEqual([tried.data.endpoints[0].answer, tried.data.endpoints[0].delivered], ['HTTP 204', true]);
    const [probe] = await receiver.expect(1, ({ type }) => type === 'webhook.test');
    assert.equal(probe?.id, tried.data.id);
  });

  it('the webhooks test command reports the answer of a receiver with another secret, and a refused connection', async () => {
    const wrong = await run({ ...stage.env, WEBHOOK_SECRET: newSigningKey() }, 'webhooks', 'test');
    assert.equal(wrong.code, 1);
    assert.match(wrong.stdout, /not accepted {2}HTTP 401/);
    assert.match(wrong.stderr, /same WEBHOOK_SECRET/);
    const nobody = `http://127.0.0.1:${await freePort()}/x`;
    const none = await run({ ...stage.env, WEBHOOK_URL: nobody }, 'webhooks', 'test');
    assert.deepEqual([none.code, /connection refused/.test(none.stdout)], [1, true], none.stdout);
  });
});

describe('a webhook endpoint', { skip: isRepeat }, () => {
  const receiver = setWebhookReceiver(key);

  it('a webhook endpoint gives up on a receiver that never answers', async () => {
    const timer = new AbortController();
    receiver.answer(() => {
      timer.abort();
      return 'silence';
    });
    const endpoint = createHttpEndpoint({ id: 'x', url: receiver.url() }, [key]);
    const outcome = await endpoint.post('one', '{"id":"one"}', timer.signal);
    assert.deepEqual(outcome, { kind: 'failed', error: 'time-out' });
    assert.equal((await receiver.expect(1)).length, 1);
  });
});
