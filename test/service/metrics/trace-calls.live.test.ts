// Spans for store and storage if a tracer is loaded, and none otherwise.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findTracer } from '../../../src/service/metrics/global-tracer.ts';
import { traceBlobs, traceStore } from '../../../src/service/metrics/trace-calls.ts';
import { createPorts } from '../../../src/store/ports.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { enter } from '../../helpers/people/users.ts';
import { storeFile } from '../../helpers/requests/upload.ts';
import { setStage } from '../../helpers/services/stage.ts';

type Recorded = { name: string; isFailed: boolean; isEnded: boolean };

const api = Symbol.for('opentelemetry.js.api.1');
const world = globalThis as { [api]?: unknown };
const spans: Recorded[] = [];

/** What an SDK registers, as far as it is used here. */
const recorder = {
  trace: {
    getTracer: () => ({
      startSpan: (name: string) => {
        const span = { name, isFailed: false, isEnded: false };
        spans.push(span);
        return {
          setStatus: () => {
            span.isFailed = true;
          },
          end: () => {
            span.isEnded = true;
          },
        };
      },
    }),
  },
};

describe('tracing', () => {
  before(() => {
    world[api] = recorder;
  });
  const stage = setStage('sqlite');
  after(() => {
    delete world[api];
  });

  it('tracing names the calls to store and storage and contains no user data', async () => {
    const { JWT, phone } = await enter(stage.url);
    const bytes = Buffer.from('a text');
    await storeFile(stage.url, { token: JWT, purpose: 'document', name: 'a.txt', type: 'text/plain', bytes });
    const names = new Set(spans.map(({ name }) => name));
    for (const name of [
      'store sendRequests.request',
      'store signIns.signInWithPhone',
      'store files.settle',
      'storage keep',
    ])
      assert.ok(names.has(name), name);
    for (const name of names) assert.match(name, /^(store [a-zA-Z]+\.|storage )[a-zA-Z]+$/);
    assert.ok(!JSON.stringify(spans).includes(phone));
  });

  it('tracing marks failed calls and ends every span', async () => {
    const store = traceStore(
      { ...stage.service.store, watch: () => undefined, call: () => Promise.reject(new Error('no')) },
      findTracer(),
    );
    await assert.rejects(createPorts(store).users.findUser(asUserId('nobody')), /no/);
    assert.deepEqual(spans.at(-1), { name: 'store users.findUser', isFailed: true, isEnded: true });
  });

  it('without a tracer store and storage are not wrapped', () => {
    const store = { ...stage.service.store, watch: () => undefined };
    assert.equal(traceStore(store, undefined), store);
    const blobs = {} as Parameters<typeof traceBlobs>[0];
    assert.equal(traceBlobs(blobs, undefined), blobs);
  });
});
