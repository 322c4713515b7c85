// The secret changes in its files while users sign in and refresh on two nodes: no call fails, and wrong files change nothing.
import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSecret } from '../../src/config/service-secret.ts';
import { createSecrets } from '../../src/kernel/crypto/secrets.ts';
import { freePort } from '../helpers/databases/postgres-server.ts';
import { enter, outcomeOf } from '../helpers/people/users.ts';
import { newPhone, refresh } from '../helpers/requests/api.ts';
import { type GatehouseProcess, isolatedEnv, spawnGatehouse, type TestEnv } from '../helpers/services/gatehouse.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const [old, next] = [makeSecret(), makeSecret()];

describe('a change of the secret while two nodes run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'));
  const places = [0, 1].map((node) => ({
    secret: join(folder, `${node}`),
    previous: join(folder, `${node}.previous`),
  }));
  const nodes: GatehouseProcess[] = [];
  let dispose: () => Promise<void> = async () => undefined;
  /** As a secret store does: the whole file at once. */
  const put = (path: string, text: string) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  const linesOf = (node: number, message: string) =>
    (nodes[node]?.output().stdout ?? '')
      .split('\n')
      .filter((line) => line.includes(`"msg":"${message}"`))
      .map((line) => JSON.parse(line) as { current: string; accepted: string; cause: string });
  const isUsing = (node: number, current: string, other: string) => {
    const [id, otherId = ''] = [current, other].map((text) => createSecrets(text).currentId);
    const last = linesOf(node, 'secrets changed').at(-1);
    return last?.current === id && last?.accepted.includes(otherId);
  };

  before(async () => {
    const isolated = await isolatedEnv('postgres', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' });
    dispose = isolated.dispose;
    for (const { secret, previous } of places) {
      put(secret, old);
      put(previous, old);
    }
    for (const { secret, previous } of places) {
      const env: TestEnv = {
        ...isolated.env,
        PORT: String(await freePort()),
        // Both nodes have one address for users.
        PUBLIC_URL: 'http://localhost:8080',
        SECRET_FILE: secret,
        SECRET_PREVIOUS_FILE: previous,
      };
      nodes.push(await spawnGatehouse(env));
    }
  });
  after(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await dispose();
    rmSync(folder, { recursive: true });
  });

  it('no sign-in and no refresh fails, and tokens of the old secret stay good', async () => {
    const urlOf = (turn: number) => nodes[turn % 2]?.url ?? '';
    const answers: string[] = [];
    let isOver = false;
    const live = async (first: number) => {
      for (let turn = first; !isOver; turn++) {
        let { RT } = await enter(urlOf(turn), newPhone());
        for (const node of [turn + 1, turn, turn + 1]) {
          const refreshed = await refresh(urlOf(node), RT);
          answers.push(outcomeOf(refreshed));
          RT = refreshed.body.data?.RT ?? RT;
        }
      }
    };
    const { RT } = await enter(urlOf(0), newPhone());
    const users = [0, 1].map(live);
    for (const node of [0, 1]) {
      put(places[node]?.previous ?? '', `${old}\n${next}\n`);
      await waitUntil('the next secret is accepted', () => isUsing(node, old, next));
    }
    // The thread that delivers reads the files by itself, each second, and says nothing.
    await sleep(3000);
    for (const node of [0, 1]) {
      put(places[node]?.secret ?? '', next);
      await waitUntil('the next secret is used', () => isUsing(node, next, old));
      const seen = answers.length;
      await waitUntil('users refresh', () => answers.length > seen + 6);
    }
    isOver = true;
    await Promise.all(users);
    assert.deepEqual([...new Set(answers)], ['200']);
    assert.ok(answers.length > 12, String(answers.length));
    assert.equal(outcomeOf(await refresh(urlOf(1), RT)), '200');
  });

  it('an empty, a short and a foreign secret are refused with a line in the log, and the service goes on', async () => {
    const [{ secret, previous } = assert.fail()] = places;
    put(previous, old);
    for (const [text, cause] of [
      ['', /names an empty file/],
      ['short', /is too short/],
      [makeSecret(), /the secret in use until now is missing in SECRET_PREVIOUS/],
    ] as const) {
      put(secret, text);
      await waitUntil('a line in the log', () =>
        cause.test(linesOf(0, 'the secrets stay as they are').at(-1)?.cause ?? ''),
      );
      const { RT } = await enter(nodes[0]?.url ?? '', newPhone());
      assert.equal(outcomeOf(await refresh(nodes[1]?.url ?? '', RT)), '200');
    }
    const log = nodes.map((node) => node.output().stdout + node.output().stderr).join();
    for (const text of [old, next]) assert.ok(!log.includes(text), 'no secret in the log');
  });
});
