// Spans of store and storage calls: named by the operation, ended in any case, marked if it failed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BlobStore } from '../../../src/files/storage/blob-store.ts';
import type { Tracer } from '../../../src/service/metrics/global-tracer.ts';
import { traceBlobs, traceStore } from '../../../src/service/metrics/trace-calls.ts';
import type { OpenedStore } from '../../../src/store/open-store.ts';
import { asFileId } from '../../helpers/people/ids.ts';

function createTracer() {
  const spans: string[] = [];
  const tracer: Tracer = {
    startSpan: (name, { kind }) => {
      let text = `${name} ${kind}`;
      return {
        setStatus: ({ code }) => {
          text += ` failed ${code}`;
        },
        end: () => void spans.push(text),
      };
    },
  };
  return { tracer, spans };
}

describe('a traced store', () => {
  it('has a span for each call, and returns what the call returns', async () => {
    const { tracer, spans } = createTracer();
    const call = async (name: string) => (name === 'journal.tryWriting' ? 7 : Promise.reject(new Error('no')));
    const store = traceStore({ kind: 'sqlite', call } as unknown as OpenedStore, tracer);
    assert.equal(await store.call('journal.tryWriting', null), 7 as never);
    await assert.rejects(store.call('installations.find', null), /no/);
    assert.deepEqual(spans, ['store journal.tryWriting 2', 'store installations.find 2 failed 2']);
    assert.equal(store.kind, 'sqlite');
  });

  it('is the store itself without a tracer', () => {
    const store = {} as OpenedStore;
    assert.equal(traceStore(store, undefined), store);
    const blobs = {} as BlobStore;
    assert.equal(traceBlobs(blobs, undefined), blobs);
  });
});

describe('a traced storage', () => {
  it('has a span for each call that moves or removes bytes', async () => {
    const { tracer, spans } = createTracer();
    const done = async () => undefined;
    const plain = { keep: done, read: done, remove: done, pump: done, ping: done };
    const made = { openLocally: done, readVariant: done, keepVariant: done };
    const secretId = asFileId('secret id');
    const blobs = traceBlobs({ ...plain, ...made } as unknown as BlobStore, tracer);
    const range = { start: 0, end: 0 };
    await blobs.keep(undefined as never, secretId, 'hash');
    await blobs.read(secretId, range, 1);
    await blobs.pump?.(secretId, range, 1);
    await blobs.remove(secretId);
    await blobs.ping();
    assert.deepEqual(spans, ['storage keep 2', 'storage read 2', 'storage read 2', 'storage remove 2']);
    spans.length = 0;
    await blobs.openLocally(secretId, 1);
    await blobs.readVariant(secretId, 'name');
    await blobs.keepVariant(secretId, 'name', Buffer.alloc(1));
    assert.deepEqual(spans, ['storage read 2', 'storage read 2', 'storage keep 2']);
    assert.equal('pump' in traceBlobs({ keep: done } as unknown as BlobStore, tracer), false);
  });
});
