// Look-ups on the thread of the caller: they see every answered commit, hold up nothing, and leave trouble to the store.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { Statement } from '../../../src/store/engine/statement.ts';
import type { Operation, Transaction } from '../../../src/store/engine/transaction.ts';
import { type InputOf, type OperationName, operations } from '../../../src/store/operations/all.ts';
import { createLookups } from '../../../src/store/sqlite/sqlite-lookups.ts';
import { asFileId, asSessionId, asUserId } from '../../helpers/people/ids.ts';
import { newPhone, noon, signIn } from '../../helpers/store/fixtures.ts';
import { openTestStore, type TestStore } from '../../helpers/store/test-store.ts';

type LookupName = {
  [N in OperationName]: (typeof operations)[N] extends { readonly isLookup: true } ? N : never;
}[OperationName];

const samples: { readonly [N in LookupName]: InputOf<N> } = {
  'backendUsers.checkSession': { userId: asUserId('user'), sessionId: asSessionId('session'), now: noon },
  'files.usage': asUserId('user'),
  'files.findFile': { id: asFileId('file'), now: noon },
  'sharing.findFor': { id: asFileId('file'), userId: asUserId('user'), now: noon },
  'users.findUser': asUserId('user'),
  'files.hasRoom': { userId: asUserId('user'), room: { bytes: 1, files: 1 }, quota: { bytes: 1, files: 1 } },
  'sharing.openLink': {
    fileId: 'file',
    linkId: 'link',
    epoch: 0,
    expiresAt: noon,
    now: noon,
  } as InputOf<'sharing.openLink'>,
};

describe('look-ups on SQLite', () => {
  let opened: TestStore | undefined;
  const open = () => opened ?? assert.fail('the store is not open');
  before(async () => {
    opened = await openTestStore('sqlite');
  });
  after(() => opened?.end());

  it('a look-up sees every commit that was answered, also while others are written', async () => {
    const { ports } = open();
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let round = 0; round < 5; round++) {
          const phone = newPhone();
          const { userId } = await signIn(ports, phone, noon);
          assert.equal((await ports.users.findUser(userId))?.phone, phone);
          await ports.users.deleteUser({ userId, now: noon });
          assert.equal(await ports.users.findUser(userId), undefined);
        }
      }),
    );
  });

  it('a look-up is answered while a batch of the store waits for the lock of another process', async () => {
    const { ports, address } = open();
    const { userId } = await signIn(ports, newPhone(), noon);
    const other = new DatabaseSync(address);
    other.exec('begin immediate');
    const waiting = ports.users.deleteUser({ userId, now: noon });
    assert.equal((await ports.users.findUser(userId))?.id, userId);
    other.exec('rollback');
    other.close();
    await waiting;
    assert.equal(await ports.users.findUser(userId), undefined);
  });

  it('no look-up holds up a checkpoint, neither one that has ended nor one that never ends', async (test) => {
    const { ports, address } = open();
    const find: Operation<string, unknown> = operations['users.findUser'];
    const { run } = find;
    const reached = Promise.withResolvers<void>();
    test.mock.method(find, 'run', async (transaction: Transaction, inputs: readonly string[]) => {
      await run(transaction, inputs);
      reached.resolve();
      return new Promise(() => undefined);
    });
    void ports.users.findUser(asUserId('nobody'));
    await reached.promise;
    const { userId } = await signIn(ports, newPhone(), noon);
    await ports.files.usage(userId);
    const other = new DatabaseSync(address);
    const [done] = other.prepare('pragma wal_checkpoint(truncate)').all();
    other.close();
    assert.deepEqual({ ...done }, { busy: 0, log: 0, checkpointed: 0 });
  });

  it('every look-up finds its rows by a key: no statement reads a whole table', async () => {
    const db = new DatabaseSync(open().address);
    for (const [name, input] of Object.entries(samples)) {
      const texts: string[] = [];
      const note = async (statement: Statement<unknown>) => {
        texts.push(statement.on('sqlite').text, statement.onOne().text);
        return [];
      };
      const transaction = { dialect: 'sqlite', reads: true, endpoints: [], all: note, run: assert.fail };
      const { run } = operations[name as LookupName] as Operation<unknown, unknown>;
      await run(transaction as unknown as Transaction, [input]);
      assert.ok(texts.length > 0, name);
      for (const text of texts) {
        const nulls = Array.from(text.matchAll(/\?/g), () => null);
        const plan = db.prepare(`explain query plan ${text}`).all(...nulls);
        const scans = plan.map(({ detail }) => String(detail)).filter((detail) => /^SCAN/.test(detail));
        const isInput = (detail: string) => /^SCAN (input|json_each|\(|CONSTANT)/.test(detail);
        assert.deepEqual(
          scans.filter((detail) => !isInput(detail)),
          [],
          `${name}: ${text}`,
        );
      }
    }
    db.close();
  });

  it('look-ups of one turn of the event loop share one run of their operation', async (test) => {
    const { ports } = open();
    const { mock } = test.mock.method(operations['users.findUser'] as Operation<string, unknown>, 'run');
    await Promise.all(['a', 'b', 'c'].map((id) => ports.users.findUser(asUserId(id))));
    assert.deepEqual(
      mock.calls.map(({ arguments: [, inputs] }) => inputs),
      [['a', 'b', 'c']],
    );
  });

  it('what cannot be read here, the store is asked for: no file, a failed statement, a closed store', async (test) => {
    const { address } = open();
    const asked: unknown[] = [];
    const askStore = async (name: OperationName, input: unknown) => {
      asked.push([name, input]);
      return 'answered';
    };
    const missing = createLookups({ path: `${address}.missing`, checksLocks: false, mapsFile: true, askStore });
    assert.equal(await missing.find('users.findUser', 'a'), 'answered');
    missing.close();
    const found = createLookups({ path: address, checksLocks: false, mapsFile: true, askStore });
    assert.equal(await found.find('users.findUser', 'nobody'), undefined);
    const broken = test.mock.method(operations['files.usage'] as Operation<string, unknown>, 'run', async () => {
      throw new Error('disk I/O error');
    });
    assert.equal(await found.find('files.usage', 'b'), 'answered');
    broken.mock.restore();
    found.close();
    assert.equal(await found.find('users.findUser', 'c'), 'answered');
    assert.deepEqual(asked, [
      ['users.findUser', 'a'],
      ['files.usage', 'b'],
      ['users.findUser', 'c'],
    ]);
  });

  it('of very many look-ups in one turn, only so many run here that other work does not wait long', async () => {
    let asked = 0;
    const askStore = async () => {
      asked += 1;
    };
    const found = createLookups({ path: open().address, checksLocks: false, mapsFile: true, askStore });
    const findMany = () => Promise.all(Array.from({ length: 600 }, () => found.find('users.findUser', 'nobody')));
    await findMany();
    assert.equal(asked, 88);
    await findMany();
    assert.equal(asked, 176);
    found.close();
  });

  it('a closed store refuses look-ups as it refuses every call', async () => {
    const { store, ports, end } = await openTestStore('sqlite');
    assert.equal(await ports.users.findUser(asUserId('nobody')), undefined);
    await store.close();
    await assert.rejects(ports.users.findUser(asUserId('nobody')), { code: 'SERVICE_UNAVAILABLE' });
    await end();
  });
});
