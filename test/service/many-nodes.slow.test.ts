// Nodes behind HAProxy, without sticky sessions, act as one (two in the short form, three in the long one); the secret
// and signing keys change under load without a failed request.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startS3Server } from '../helpers/blobs/s3-server.ts';
import { createDatabase } from '../helpers/databases/databases.ts';
import { factor, rounds } from '../helpers/faults/rounds.ts';
import { undoAfter } from '../helpers/faults/undo.ts';
import { setSmsRecorder } from '../helpers/people/sms-recorder.ts';
import { me, outcomeOf } from '../helpers/people/users.ts';
import { hasHaproxy } from '../helpers/proxies/haproxy.ts';
import { call, logIn, newPhone, type Pair, refresh, sendOtp } from '../helpers/requests/api.ts';
import { upload } from '../helpers/requests/upload.ts';
import { because, run } from '../helpers/services/command-line.ts';
import { openFleet } from '../helpers/services/fleet.ts';
import { wavFile } from '../helpers/uploads/sample-files.ts';

const isMissing = !hasHaproxy();
if (isMissing) console.log('skipped: haproxy is not installed, so many nodes are not tested');

/** The slots of the nodes. Each round of the change uses the other slots. */
const places =
  factor > 1
    ? [
        [0, 1, 2],
        [3, 4, 5],
      ]
    : [[0, 1], [2]];
const [before, after] = ['a'.repeat(40), 'b'.repeat(40)];

describe('many nodes behind HAProxy', { skip: isMissing }, () => {
  const recorder = setSmsRecorder();

  it('nodes behind HAProxy act as one, and change secret and keys under load without a failed request', async (test) => {
    const undo = undoAfter(test);
    const database = await createDatabase();
    undo(database.drop);
    const s3 = await startS3Server();
    undo(s3.stop);
    const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-nodes-'));
    undo(() => rmSync(dataDir, { recursive: true }));
    const shared = {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      STORAGE_URL: s3.url(),
      SECRET: before,
      SMS_URL: recorder.url,
      SMS_WEBHOOK_SECRET: 'a key of the recorder',
      LIMIT_SENDS_PER_RECIPIENT: '3/1h',
      LIMIT_SENDS_PER_IP: 'off',
      SMS_LIMIT_PER_PREFIX: 'off',
      OTP_RESEND_AFTER: 'off',
    };
    const fleet = await openFleet(undo, shared, { places: 6, count: places[0]?.length ?? 0 });
    const urls = [...fleet.nodes.values()].map(({ url }) => url);
    const [first = '', second = ''] = urls;

    await test.test('nodes share limits: three of twelve sends to one number are sent', async () => {
      const phone = newPhone();
      const replies = await Promise.all(Array.from({ length: 12 }, () => sendOtp(fleet.url, phone)));
      assert.deepEqual(replies.map(outcomeOf).toSorted(), [
        ...Array(3).fill('200'),
        ...Array(9).fill('429 OTP_SEND_LIMIT'),
      ]);
      assert.equal((await recorder.expect(phone, 3)).length, 3);
    });

    await test.test('nodes share one outbox: every message is sent by one of them', async () => {
      const phones = Array.from({ length: 24 }, newPhone);
      await Promise.all(phones.map((phone) => sendOtp(fleet.url, phone)));
      for (const phone of phones) assert.equal((await recorder.expect(phone, 1)).length, 1);
      const keys = recorder.received.map(({ key }) => key);
      assert.equal(new Set(keys).size, keys.length);
    });

    await test.test('nodes share signing keys and revocations', async () => {
      const { JWT } = await signIn(first, second);
      for (const url of urls) assert.equal(outcomeOf(await me(url, JWT)), '200');
      const { data } = await run(fleet.env, 'keys', 'rotate', '--now', '--json', ...because);
      for (const url of urls) {
        const knows = async () => (await (await fetch(`${url}/.well-known/jwks.json`)).text()).includes(data.id);
        for (let round = 0; !(await knows()); round++) {
          assert.ok(round < 2000, `${url} does not learn of the key`);
          await sleep(25);
        }
      }
      await call(second, 'POST', '/api/auth/logout', { token: JWT });
      for (const url of urls) {
        for (let round = 0; outcomeOf(await me(url, JWT)) !== '401 SESSION_REVOKED'; round++) {
          assert.ok(round < 2000, `${url} does not learn of the sign-out`);
          await sleep(25);
        }
      }
    });

    await test.test('nodes change the secret and the signing key under load', async (own) => {
      const load = startLoad(fleet.url, () => signIn(fleet.url));
      const both = { SECRET: before, SECRET_PREVIOUS: after };
      const turned = { SECRET: after, SECRET_PREVIOUS: before };
      for (let round = 0; round < rounds(2); round++) {
        const [old = [], next = []] = round % 2 === 0 ? places : places.toReversed();
        await load.untilAll(1);
        await replace(old, next, round % 2 === 0 ? both : turned);
      }
      assert.equal((await run({ ...fleet.env, ...both }, 'keys', 'rotate', '--now', ...because)).code, 0);
      await load.untilAll(2);
      const { requests, failures } = await load.stop();
      assert.deepEqual(failures, []);
      own.diagnostic(`${rounds(2)} restarts of all nodes, ${requests} requests meanwhile, 0 failed`);
    });

    /** Asks one node for the code and uses it at another. */
    async function signIn(here: string, there = here): Promise<Pair> {
      const phone = newPhone();
      assert.equal(outcomeOf(await sendOtp(here, phone)), '200');
      for (let round = 0; recorder.to(phone).length === 0; round++) {
        assert.ok(round < 6000, `no message to ${phone}`);
        await sleep(10);
      }
      const code = /#(\d{6})$/.exec(recorder.to(phone)[0]?.text ?? '')?.[1] ?? '';
      const reply = await logIn(there, phone, code);
      assert.equal(outcomeOf(reply), '200');
      return reply.body.data;
    }

    /** New nodes take over, then the old ones stop. */
    async function replace(old: number[], next: number[], env: Record<string, string>): Promise<void> {
      await Promise.all(next.map((place) => fleet.up(place, env)));
      await Promise.all(old.map((place) => fleet.down(place)));
    }
  });
});

/** Users who refresh, read their account, upload and download a file and sign in again, in a loop. Every answer must be a success. */
function startLoad(url: string, signIn: () => Promise<Pair>) {
  const failures: string[] = [];
  const turns = [0, 0];
  let requests = 0;
  let isOver = false;
  const expect = (step: string, status: number, wanted: number, code: string | null) => {
    requests += 1;
    if (status !== wanted) failures.push(`${step}: ${status} ${code}`);
  };
  const actAsUser = async (index: number) => {
    let pair = await signIn();
    while (!isOver) {
      const renewed = await refresh(url, pair.RT);
      expect('refresh', renewed.status, 200, renewed.body.codeError);
      if (renewed.status === 200) pair = renewed.body.data;
      const asked = await me(url, pair.JWT);
      expect('me', asked.status, 200, asked.body.codeError);
      const sound = { purpose: 'audio', type: 'audio/wav', bytes: wavFile(2000) };
      const stored = await upload(url, { ...sound, token: pair.JWT });
      expect('upload', stored.status, 201, stored.body.codeError);
      const headers = { authorization: `Bearer ${pair.JWT}` };
      const fetched = await fetch(`${url}/file/${stored.body.data?.id}`, { headers });
      expect('file', fetched.status, 200, null);
      await fetched.arrayBuffer();
      pair = await signIn();
      requests += 2;
      turns[index] = (turns[index] ?? 0) + 1;
    }
  };
  const users = turns.map((_, index) =>
    actAsUser(index).catch((error: unknown) => {
      failures.push(String(error));
    }),
  );
  return {
    /** Until every user has done so many more rounds. */
    untilAll: async (more: number) => {
      const goal = turns.map((turn) => turn + more);
      while (failures.length === 0 && turns.some((turn, index) => turn < (goal[index] ?? 0))) await sleep(20);
    },
    stop: async () => {
      isOver = true;
      await Promise.all(users);
      return { requests, failures };
    },
  };
}
