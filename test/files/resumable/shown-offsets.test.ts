// Histories of appends and questions on two nodes, where the calls to the store end in any order: an offset that was given stays.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { FileDeps } from '../../../src/files/deps.ts';
import { appendUpload } from '../../../src/files/resumable/append-upload.ts';
import { cancelUpload } from '../../../src/files/resumable/cancel-upload.ts';
import type { ResumableStore } from '../../../src/files/resumable/resumable-upload.ts';
import { createRunningUploads } from '../../../src/files/resumable/running-uploads.ts';
import { showUpload } from '../../../src/files/resumable/show-upload.ts';
import { seed } from '../../helpers/faults/rounds.ts';
import { asUserId } from '../../helpers/people/ids.ts';
import { bodyOf, stageUploads } from '../../helpers/uploads/resumable-stage.ts';

type Ask = { readonly kind: 'append' | 'show' | 'cancel'; readonly node: number; readonly bytes: number };

const asks = fc.array(
  fc.record({
    kind: fc.constantFrom<Ask['kind']>('append', 'append', 'append', 'show', 'show', 'cancel'),
    node: fc.nat(1),
    bytes: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 4, maxLength: 8 },
);

/** One request that records bytes, in the order of what happens. */
type Event = {
  readonly what: 'begun' | 'taken' | 'asked' | 'recorded' | 'shown';
  readonly by: number;
  readonly node: number;
};

describe('an offset that was given', () => {
  const play = async (scheduler: fc.Scheduler, list: readonly Ask[], nodes: number) => {
    const { deps, create, created, resumables } = stageUploads();
    await create('');
    const uploadId = created[0] ?? '';
    const events: Event[] = [];
    const delayed = (by: number, node: number): ResumableStore => ({
      ...resumables,
      take: async (input) => {
        await scheduler.schedule(Promise.resolve(), 'take');
        const outcome = await resumables.take(input);
        if (outcome.kind === 'taken') events.push({ what: input.writer === undefined ? 'asked' : 'taken', by, node });
        await scheduler.schedule(Promise.resolve(), 'taken');
        return outcome;
      },
      advance: async (input) => {
        await scheduler.schedule(Promise.resolve(), 'advance');
        const outcome = await resumables.advance(input);
        if (outcome === 'advanced') events.push({ what: 'recorded', by, node });
        await scheduler.schedule(Promise.resolve(), 'advanced');
        return outcome;
      },
    });
    const running = [createRunningUploads(), createRunningUploads()];
    const nodeOf = ({ node }: Ask) => (nodes === 1 ? 0 : node);
    const answers: { readonly by: number; readonly node: number; readonly at: number }[] = [];
    const run = async (ask: Ask, by: number, offset = 0) => {
      const node = nodeOf(ask);
      const here = { ...deps, resumables: delayed(by, node), runningUploads: running[node] } as FileDeps;
      events.push({ what: 'begun', by, node });
      const user = { uploadId, userId: asUserId('ann') };
      if (ask.kind === 'cancel') return cancelUpload(here, user);
      if (ask.kind === 'show') {
        await showUpload(here, user);
        answers.push({ by, node, at: events.length });
        return events.push({ what: 'shown', by, node });
      }
      const content = 'x'.repeat(ask.bytes);
      const arrivedAt = performance.now();
      await scheduler.schedule(Promise.resolve(), 'token');
      const said = { isComplete: false, length: undefined, digests: [], bodyLength: undefined, offset };
      const rest = { signal: new AbortController().signal, onProgress: () => undefined };
      return appendUpload(here, { ...user, ...said, ...rest, arrivedAt, body: () => bodyOf(content) });
    };
    const all = list.map((ask, by) =>
      scheduler
        .schedule(Promise.resolve(), 'request')
        .then(() => run(ask, by))
        .catch(() => undefined),
    );
    await scheduler.waitFor(Promise.all(all));
    // A client that goes on from the offset that it got.
    const received = resumables.uploads.get(uploadId)?.received;
    const last: Ask = { kind: 'append', node: 0, bytes: 3 };
    if (received !== undefined) await scheduler.waitFor(run(last, list.length, received));
    return { events, answers };
  };

  it('is moved by no request that came to the node before the answer, whatever the order in the store', async () => {
    let moved = 0;
    const property = fc.asyncProperty(fc.scheduler(), asks, async (scheduler, list) => {
      const { events, answers } = await play(scheduler, list, 1);
      for (const { at } of answers)
        for (const { what, by } of events.slice(at)) {
          if (what !== 'recorded') continue;
          moved += 1;
          const begun = events.findIndex((event) => event.what === 'begun' && event.by === by);
          assert.ok(begun > at, `request ${by} came before the answer, and moved the offset after it`);
        }
    });
    await fc.assert(property, { seed, numRuns: 100, endOnFailure: true });
    assert.ok(moved > 0, 'no newer request ever moved an offset');
  });

  it('is moved on another node by no request that had the upload before', async () => {
    const property = fc.asyncProperty(fc.scheduler(), asks, async (scheduler, list) => {
      const { events, answers } = await play(scheduler, list, 2);
      for (const { at, node, by: asker } of answers)
        for (const { what, by, node: other } of events.slice(at)) {
          if (what !== 'recorded') continue;
          const had = events.findLastIndex((event) => event.what === 'taken' && event.by === by);
          const begun = events.findIndex((event) => event.what === 'begun' && event.by === by);
          const asked = events.findIndex((event) => event.what === 'asked' && event.by === asker);
          assert.ok(other === node ? begun > at : had > asked, `request ${by} moved the offset after it was shown`);
        }
    });
    await fc.assert(property, { seed, numRuns: 100, endOnFailure: true });
  });
});
