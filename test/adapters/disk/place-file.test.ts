// The thread that places files: what comes while it is busy goes with the next message, and its end is the error of what it had.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { createPlaceFile } from '../../../src/adapters/disk/place-file.ts';
import type { PlaceOrder } from '../../../src/adapters/disk/place-files.ts';
import { settled } from '../../helpers/uploads/upload-stage.ts';

class FakeWriter extends EventEmitter {
  readonly batches: string[][] = [];
  isReferenced = true;
  postMessage(orders: readonly PlaceOrder[]): void {
    this.batches.push(orders.map(({ path }) => path));
  }
  ref(): void {
    this.isReferenced = true;
  }
  unref(): void {
    this.isReferenced = false;
  }
}

describe('the thread that places files', () => {
  function stage() {
    const writers: FakeWriter[] = [];
    const place = createPlaceFile(() => {
      const writer = new FakeWriter();
      writers.push(writer);
      return writer as unknown as Worker;
    });
    const done: string[] = [];
    const ask = (path: string) =>
      void place({ held: undefined, temporary: '', path }).then(
        () => done.push(path),
        (error: NodeJS.ErrnoException) => done.push(`${path} ${error.code ?? error.message}`),
      );
    return { writers, done, ask };
  }

  it('files that come while it is busy share the next message, and each gets its own error', async () => {
    const { writers, done, ask } = stage();
    for (const path of ['a', 'b', 'c']) ask(path);
    const [writer = assert.fail('no thread')] = writers;
    assert.deepEqual(writer.batches, [['a']]);
    writer.emit('message', [undefined]);
    await settled();
    assert.deepEqual([done, writer.batches], [['a'], [['a'], ['b', 'c']]]);
    writer.emit('message', [{ code: 'ENOSPC', message: 'no space' }, undefined]);
    await settled();
    assert.deepEqual(done, ['a', 'b ENOSPC', 'c']);
    assert.equal(writers.length, 1);
  });

  it('keeps the process alive only while a file is under way', async () => {
    const { writers, ask } = stage();
    ask('a');
    assert.equal(writers[0]?.isReferenced, true);
    writers[0]?.emit('message', [undefined]);
    assert.equal(writers[0]?.isReferenced, false);
    ask('b');
    assert.equal(writers[0]?.isReferenced, true);
  });

  it('its end fails what it had, and the next file gets a new thread', async () => {
    const { writers, done, ask } = stage();
    ask('a');
    ask('b');
    writers[0]?.emit('error', new Error('out of memory'));
    writers[0]?.emit('exit', 1);
    await settled();
    assert.match(done[0] ?? '', /^a the thread that places files has ended: .*out of memory/);
    assert.deepEqual([writers.length, writers[1]?.batches], [2, [['b']]]);
    writers[1]?.emit('message', [undefined]);
    await settled();
    assert.equal(done[1], 'b');
  });

  it('places files itself while no thread can start, with the error of each, and starts one for the next file', async () => {
    const writer = new FakeWriter();
    let starts = 0;
    const start = () => {
      starts += 1;
      if (starts === 2 || starts === 3) throw new Error('no more threads');
      return writer as unknown as Worker;
    };
    const here: string[][] = [];
    const place = createPlaceFile(start, (orders) => {
      here.push(orders.map(({ path }) => path));
      return orders.map(({ path }) => (path === 'full' ? { code: 'ENOSPC', message: 'no space' } : undefined));
    });
    const ask = (path: string) =>
      place({ held: undefined, temporary: '', path }).then(
        () => 'placed',
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      );
    const [first, second, third] = [ask('a'), ask('b'), ask('full')];
    writer.emit('exit', 1);
    assert.match(await first, /has ended/);
    assert.deepEqual([await second, await third, await ask('c')], ['placed', 'ENOSPC', 'placed']);
    assert.deepEqual(here, [['b', 'full'], ['c']]);
    const last = ask('d');
    assert.deepEqual(writer.batches, [['a'], ['d']]);
    writer.emit('message', [undefined]);
    assert.equal(await last, 'placed');
  });
});
