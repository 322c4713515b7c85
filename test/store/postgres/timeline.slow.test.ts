// A standby is promoted while the old primary still accepts writes: nodes use the higher timeline, or are not ready, with default settings.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { addStandby, connect, promote, startPrimary } from '../../helpers/databases/postgres-pair.ts';
import { freePort, type PostgresServer, startPostgresServer } from '../../helpers/databases/postgres-server.ts';
import { enter, outcomeOf } from '../../helpers/people/users.ts';
import { newPhone, sendOtp } from '../../helpers/requests/api.ts';
import { startTcpProxy } from '../../helpers/requests/tcp-proxy.ts';
import {
  type Gatehouse,
  isolatedEnv,
  spawnMain,
  startGatehouse,
  type TestEnv,
} from '../../helpers/services/gatehouse.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

describe('a PostgreSQL whose old primary is not fenced', () => {
  const undo: (() => unknown)[] = [];
  let old: PostgresServer;
  let promoted: PostgresServer;
  let node: Gatehouse;
  let env: TestEnv;
  before(async () => {
    old = await startPrimary();
    undo.push(old.end);
    promoted = await addStandby(old);
    undo.push(promoted.end);
    // The old primary is named first, so that the order of the hosts cannot choose the right server.
    const url = `postgres://postgres@127.0.0.1:${old.port},127.0.0.1:${promoted.port}/postgres`;
    const place = await isolatedEnv('sqlite', { DATABASE_URL: url });
    undo.push(place.dispose);
    env = place.env;
    node = await startGatehouse(env);
    await enter(node.url);
    const admin = await connect(old);
    // With it the old primary would confirm nothing.
    await admin.query("alter system set synchronous_standby_names = ''");
    await admin.query('select pg_reload_conf()');
    await admin.end();
    await promote(promoted);
  });
  after(async () => {
    // Each step, also after one that fails: a node may have ended already.
    for (const step of [...undo, () => node?.stop()].reverse())
      await Promise.resolve()
        .then(step)
        .catch(() => undefined);
  });

  const usersOn = async (server: PostgresServer): Promise<string[]> => {
    const client = await connect(server);
    const { rows } = await client.query<{ phone: string }>('select phone from users');
    await client.end();
    return rows.map(({ phone }) => phone);
  };
  /** A new user is on this server, and not on the other. */
  const isOn = async (url: string, right: PostgresServer, wrong: PostgresServer): Promise<void> => {
    const { phone } = await enter(url);
    assert.ok((await usersOn(right)).includes(phone));
    assert.ok(!(await usersOn(wrong)).includes(phone));
  };
  const readiness = async (url: string): Promise<string> => {
    const reply = await fetch(`${url}/readyz`).catch(() => undefined);
    return reply === undefined ? 'closed' : `${reply.status} ${await reply.text()}`;
  };
  const isNotReady = (url: string, why: RegExp) =>
    waitUntil('the node says why it is not ready', async () => {
      const answer = await readiness(url);
      return answer.startsWith('503') && why.test(answer);
    });
  const isReady = (url: string) => waitUntil('the node is ready', async () => (await readiness(url)).startsWith('200'));

  it('a running node moves to the promoted server by itself', async () => {
    await waitUntil('the node has seen the new timeline', () => node.service.store.cluster?.timeline() === 2);
    await isReady(node.url);
    await isOn(node.url, promoted, old);
  });

  it('a restarted node, and a node that remembers nothing, use the promoted server', async () => {
    await node.stop();
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-node-'));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    const other = await startGatehouse({ ...env, DATA_DIR: folder, PORT: String(await freePort()) });
    await isOn(other.url, promoted, old).finally(() => other.stop());
    node = await startGatehouse(env);
    await isOn(node.url, promoted, old);
  });

  it('while only the old primary answers, no node is ready, and none writes to it', async () => {
    const users = (await usersOn(old)).length;
    await promoted.stop();
    await isNotReady(node.url, /old primary/);
    assert.equal(outcomeOf(await sendOtp(node.url, newPhone())), '503 SERVICE_UNAVAILABLE');
    const port = String(await freePort());
    const started = spawnMain(['serve'], { ...env, PORT: port });
    const url = `http://127.0.0.1:${port}`;
    try {
      await isNotReady(url, /old primary/);
      const doctor = await runCommand(['doctor', '--json'], env);
      assert.match(doctor.stdout, /accepts writes, timeline 1/);
      assert.equal(doctor.code, 1);
      assert.equal((await usersOn(old)).length, users);
      await promoted.start();
      await Promise.all([isReady(url), isReady(node.url)]);
      await isOn(node.url, promoted, old);
    } finally {
      started.child.kill('SIGTERM');
      await started.ended;
    }
  });

  it('behind a single name, a node that has seen the new timeline does not follow the name back', async () => {
    const users = (await usersOn(old)).length;
    let proxy = await startTcpProxy({ host: '127.0.0.1', port: promoted.port });
    const { port } = proxy;
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const behind = await startGatehouse({ ...env, DATABASE_URL: url, PORT: String(await freePort()) });
    try {
      await isOn(behind.url, promoted, old);
      await proxy.close();
      proxy = await startTcpProxy({ host: '127.0.0.1', port: old.port }, { port });
      await isNotReady(behind.url, /old primary/);
      assert.equal((await usersOn(old)).length, users);
      await proxy.close();
      proxy = await startTcpProxy({ host: '127.0.0.1', port: promoted.port }, { port });
      await isReady(behind.url);
    } finally {
      await behind.stop();
      await proxy.close();
    }
  });

  it('another cluster is refused at the start, and named', async () => {
    const stranger = await startPostgresServer({ home: old.home });
    try {
      const started = spawnMain(['serve'], { ...env, DATABASE_URL: stranger.url, PORT: String(await freePort()) });
      assert.equal(await started.ended, 78);
      assert.match(started.output().stderr, /database of another installation.*correct DATABASE_URL/s);
    } finally {
      await stranger.end();
    }
  });

  it('a running node does not follow its name to an adopted database of another installation', async () => {
    const stranger = await startPostgresServer({ home: old.home });
    undo.push(stranger.end);
    const foreign = await isolatedEnv('sqlite', { DATABASE_URL: stranger.url });
    undo.push(foreign.dispose);
    await (await startGatehouse(foreign.env)).stop();
    const ran = await runCommand(['database', 'adopt', '--reason', 'a test', '--yes'], foreign.env);
    assert.equal(ran.code, 0, ran.stderr);
    let proxy = await startTcpProxy({ host: '127.0.0.1', port: promoted.port });
    const { port } = proxy;
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const behind = await startGatehouse({ ...env, DATABASE_URL: url, PORT: String(await freePort()) });
    try {
      await isOn(behind.url, promoted, old);
      await proxy.close();
      proxy = await startTcpProxy({ host: '127.0.0.1', port: stranger.port }, { port });
      await isNotReady(behind.url, /another installation/);
      assert.deepEqual(await usersOn(stranger), []);
      await proxy.close();
      proxy = await startTcpProxy({ host: '127.0.0.1', port: promoted.port }, { port });
      await isReady(behind.url);
      await isOn(behind.url, promoted, old);
      await node.stop();
      node = await startGatehouse(env);
      await isOn(node.url, promoted, old);
    } finally {
      await behind.stop();
      await proxy.close();
    }
  });

  it('an operator can decide for the old primary, and then nodes leave the promoted server alone', async () => {
    const adopt = ['database', 'adopt', '--reason', 'promoted by mistake', '--yes', '--json'];
    const undecided = await runCommand(adopt, env);
    assert.equal(undecided.code, 1);
    assert.match(undecided.stderr, /Several servers accept writes/);
    await promoted.stop();
    const ran = await runCommand(adopt, env);
    assert.equal(ran.code, 0, ran.stderr);
    await isReady(node.url);
    const { phone } = await enter(node.url);
    assert.ok((await usersOn(old)).includes(phone));
    await promoted.start();
    await node.stop();
    node = await startGatehouse(env);
    await isOn(node.url, old, promoted);
    const audit = await runCommand(['audit', 'tail', '--json'], env);
    assert.match(audit.stdout, /database\.adopted/);
  });
});
