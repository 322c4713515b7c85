// The server of the SQLite thread, on the thread of the test: which calls share a commit.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { createStoreMeter, readStoreMeter, type StoreMeter } from '../../../src/store/engine/store-meter.ts';
import { createSqliteClient, type SqliteClient } from '../../../src/store/sqlite/sqlite-client.ts';
import { patienceMilliseconds } from '../../../src/store/sqlite/sqlite-messages.ts';
import { serveDatabase } from '../../../src/store/sqlite/sqlite-server.ts';

describe('calls that no person waits for', () => {
  let folder: string;
  let meter: StoreMeter;
  let client: SqliteClient;
  let port: MessagePort;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-server-'));
    meter = createStoreMeter();
    const { port1, port2 } = new MessageChannel();
    serveDatabase(port2, join(folder, 'gatehouse.db'), [], meter);
    client = createSqliteClient(port1, () => undefined);
    port = port1;
    await client.send('$migrate', null);
    mock.timers.enable({ apis: ['setTimeout'] });
  });

  afterEach(async () => {
    mock.timers.reset();
    await client.send('$close', null);
    port.close();
    rmSync(folder, { recursive: true });
  });

  const batches = () => readStoreMeter(meter).calls;

  it('share the commit of a call that comes soon after', async () => {
    const before = batches();
    const finished = client.send('outbox.finishSent', []);
    await arrival();
    assert.equal(batches().count, before.count);
    const shared = share(port);
    const other = createSqliteClient(shared, () => undefined);
    await other.send('sendRequests.noteSuspension', { rule: 'country', country: 'PT', until: 2, now: 1 });
    await finished;
    shared.close();
    assert.equal(batches().count, before.count + 1);
    assert.equal(batches().sum, before.sum + 2);
  });

  it('have a commit of their own if no other call comes', async () => {
    const before = batches().count;
    const finished = client.send('outbox.finishSent', []);
    await arrival();
    mock.timers.tick(patienceMilliseconds);
    await finished;
    assert.equal(batches().count, before + 1);
  });
});

/** Another client of the same server: the first one has a message under way. */
function share(port: MessagePort): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port.postMessage({ connect: port2 }, [port2]);
  return port1;
}

/** A message of this thread has been read after its turn and the next. */
async function arrival(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}
