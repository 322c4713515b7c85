// Everything that can be wrong with a request, against one running service: always refused in the envelope, never accepted.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { fetchCaptchaToken } from '../../src/commands/developer/solve-captcha.ts';
import { call, logIn, sendOtp } from '../helpers/requests/api.ts';
import { type BrokenRequest, checkRefusal, sendRaw } from '../helpers/requests/raw-request.ts';
import { createTestClock, isolatedEnv, startGatehouse } from '../helpers/services/gatehouse.ts';
import { contentTypes } from './broken-requests/content-types.ts';
import { conversationKinds, testConversations } from './broken-requests/conversations.ts';
import { credentials } from './broken-requests/credentials.ts';
import { fields } from './broken-requests/fields.ts';
import { framing } from './broken-requests/framing.ts';
import { headers } from './broken-requests/headers.ts';
import { jsonBodies } from './broken-requests/json-bodies.ts';
import { requestLines } from './broken-requests/request-lines.ts';
import type { Stage } from './broken-requests/stage.ts';
import { testWrongMethods, wrongMethodKinds } from './broken-requests/wrong-methods.ts';

const kinds: Readonly<Record<string, readonly BrokenRequest[]>> = {
  'request lines and targets': requestLines,
  headers: headers,
  framing: framing,
  'content types': contentTypes,
  'JSON bodies': jsonBodies,
  fields: fields,
  credentials: credentials,
};

const testPhone = '+15550100001';
/** Tables in which an accepted request would leave traces. */
const tables = [
  'users',
  'sessions',
  'challenges',
  'login_links',
  'outbox',
  'inbox',
  'limits',
  'captchas',
  'audit_events',
];

describe('broken requests', () => {
  const stage = {} as Stage;
  let dispose: () => Promise<void>;
  let database: DatabaseSync;
  let untouched: unknown;

  before(async () => {
    const isolated = await isolatedEnv('sqlite', {
      CAPTCHA_URL: 'altcha:',
      TEST_RECIPIENTS: `${testPhone}=000000@2999-01-01`,
      OTP_RESEND_AFTER: '1h',
      LIMIT_SENDS_PER_RECIPIENT: '1/24h',
      LIMIT_SENDS_PER_IP: '1/24h',
    });
    dispose = () => isolated.dispose();
    stage.gatehouse = await startGatehouse(isolated.env, createTestClock());
    const { url } = stage.gatehouse;
    await sendOtp(url, testPhone, { 'captcha-token': await fetchCaptchaToken(url) });
    const { JWT, RT } = (await logIn(url, testPhone, '000000')).body.data;
    stage.good = { accessToken: JWT, refreshToken: RT, captcha: await fetchCaptchaToken(url) };
    database = new DatabaseSync(join(isolated.env.DATA_DIR ?? '', 'gatehouse.db'), { readOnly: true });
    untouched = readStore();
  });

  after(async () => {
    database.close();
    await stage.gatehouse.stop();
    await dispose();
  });

  const readStore = () => tables.map((table) => [table, database.prepare(`select * from ${table} order by 1`).all()]);

  for (const [group, list] of Object.entries(kinds)) {
    describe(group, () => {
      for (const { name, bytes, code, field, isLast, options = {} } of list) {
        it(`a broken request is refused: ${name}`, async () => {
          const written = typeof bytes === 'function' ? bytes(stage.good) : bytes;
          const replies = await sendRaw(stage.gatehouse.url, written, { ...options, ...(isLast && { replies: 2 }) });
          const { message } = checkRefusal(replies[0], code);
          if (isLast) assert.deepEqual([replies.length, replies[0]?.headers.connection], [1, 'close']);
          if (field !== undefined) assert.ok(message.includes(field), `${message} names no ${field}`);
        });
      }
    });
  }

  describe('methods', () => testWrongMethods(stage));

  describe('sequences of requests', () => testConversations(stage));

  describe('after all of them', () => {
    it('broken requests change nothing in the store', () => {
      assert.deepEqual(readStore(), untouched);
    });

    it('after broken requests the service is ready and has sent nothing', async () => {
      assert.equal(await (await fetch(`${stage.gatehouse.url}/readyz`)).text(), 'ok\n');
      assert.deepEqual((await call(stage.gatehouse.url, 'GET', '/api/inbox')).body.data.messages, []);
    });

    it('broken requests use up neither a limit nor the captcha', async () => {
      const reply = await sendOtp(stage.gatehouse.url, '+12025550123', { 'captcha-token': stage.good.captcha });
      assert.equal(reply.status, 200, reply.body.message);
    });

    it('broken requests neither end the session nor use its refresh token', async () => {
      assert.equal(
        (await call(stage.gatehouse.url, 'GET', '/api/auth/me', { token: stage.good.accessToken })).status,
        200,
      );
      const renewed = await call(stage.gatehouse.url, 'POST', '/api/auth/refresh-token', {
        headers: { RT: stage.good.refreshToken },
      });
      assert.equal(renewed.status, 200);
    });

    it('the list of broken requests has at least 200 kinds, each once', (t) => {
      const names = Object.entries(kinds).flatMap(([group, list]) => list.map(({ name }) => `${group}: ${name}`));
      assert.equal(new Set(names).size, names.length);
      const count = names.length + wrongMethodKinds + conversationKinds;
      assert.ok(count >= 200);
      t.diagnostic(`${count} kinds of broken requests`);
    });
  });
});
