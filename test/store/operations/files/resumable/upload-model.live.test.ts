// Random histories of uploads in several requests, with two nodes that die between any two steps, against a model and the real store.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createPorts } from '../../../../../src/store/ports.ts';
import { rounds, seed } from '../../../../helpers/faults/rounds.ts';
import { asUserId } from '../../../../helpers/people/ids.ts';
import { makeUserRow } from '../../../../helpers/people/user.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { day, noon } from '../../../../helpers/store/fixtures.ts';
import { noting } from '../../../../helpers/store/noting.ts';
import { type Engine, openEngine } from '../../../batches/engines.ts';
import { leaseMilliseconds } from './upload-model.ts';
import { createWorld, type World } from './upload-world.ts';

type Step = keyof World['steps'];

/** How often each step is tried. */
const weights = {
  create: 4,
  take: 4,
  head: 2,
  write: 3,
  flush: 2,
  advance: 2,
  begin: 4,
  hold: 1,
  finish: 4,
  finishOld: 1,
  leave: 1,
  cancel: 1,
  wait: 1,
  waitForLease: 1,
  waitForEnd: 1,
  waitNearEnd: 1,
  crash: 2,
  list: 1,
  sweep: 2,
  sweepUnknown: 1,
} as const satisfies Record<Step, number>;

const anyStep = fc.oneof(
  ...(Object.keys(weights) as Step[]).map((name) => ({
    weight: weights[name],
    arbitrary: fc.constant<readonly Step[]>([name]),
  })),
);
const finishing = ['begin', 'finish', 'finish', 'finish', 'finish'] as const;
/** What a request does if nothing comes between, and where two finishers, or a finisher and the end, meet. Of a list, any beginning. */
const usual = fc
  .tuple(
    fc.constantFrom<readonly Step[]>(
      ['write', 'flush', 'advance'],
      ['create', 'write', 'write', 'flush', 'advance', ...finishing],
      ['take', 'write', 'write', 'flush', 'advance', ...finishing],
      ['head', 'take', 'write', 'write', 'write', 'flush', 'advance'],
      finishing,
      ['begin', 'finish', 'waitForLease', ...finishing, 'finishOld'],
      ['begin', 'finish', 'waitForEnd', 'finish'],
      ['waitNearEnd', 'begin', 'finish', 'wait', 'finish'],
    ),
    fc.nat(9),
  )
  .map(([steps, spared]) => steps.slice(0, Math.max(1, steps.length - Math.max(0, spared - 6))));

const histories = fc.record({
  isGrowing: fc.boolean(),
  hasLength: fc.boolean(),
  steps: fc
    .array(fc.tuple(fc.oneof(anyStep, usual), fc.nat(1000)), { minLength: 10, maxLength: 40, size: 'max' })
    .map((list) => list.flatMap(([names, n]) => names.map((name) => [name, n] as const))),
});

for (const kind of tierStoreKinds)
  describe(`uploads in several requests on ${kind}, in every order`, () => {
    let engine: Engine;
    before(async () => {
      engine = await openEngine(kind);
    });
    after(() => engine?.end());

    const userId = asUserId('user');
    const ports = noting(
      createPorts({
        call: async (name, input) => {
          const [outcome] = await engine.run([{ name, input } as never]);
          if (outcome === undefined || 'error' in outcome) throw outcome?.error;
          return outcome.value as never;
        },
      }),
    );

    /** What must hold between any two steps. */
    const check = async ({ model, parts, content, now }: World) => {
      const { files, file_usage, uploads, resumables, upload_parts } = await engine.read();
      assert.ok(files.length <= 1, 'there is a second file');
      assert.equal(files[0]?.id, model.file());
      assert.equal(file_usage[0]?.bytes ?? 0, files.length * content.length);
      const reserved = uploads.filter((row) => Number(row.sweep_at) > now());
      const bytes = reserved.reduce((sum, row) => sum + Number(row.bytes), 0);
      assert.equal(bytes, model.reserved(now()), 'the reservation is not exact');
      for (const row of resumables) {
        const id = String(row.id);
        if (!model.isLive(id, now())) continue;
        const recorded = upload_parts
          .filter((part) => part.upload_id === id)
          .map((part) => ({ id: String(part.id), firstByte: Number(part.first_byte), bytes: Number(part.bytes) }))
          .toSorted((a, b) => a.firstByte - b.firstByte);
        const found = parts.read(id, recorded);
        assert.deepEqual(found, content.subarray(0, Number(row.received)), 'an acknowledged byte is not durable');
      }
      assert.deepEqual(new Set(resumables.map(({ id }) => id)), new Set(model.ids()));
    };

    /** Both nodes die. A patient client with a new one: whatever happened before, the file gets stored. */
    const complete = async ({ steps, model, now, pass, current, content }: World) => {
      for (const node of [0, 1]) await steps.crash(node);
      pass(leaseMilliseconds);
      if (!model.isLive(current() ?? '', now())) return;
      await steps.head(0);
      await steps.take(1);
      for (let sent = 0; sent < content.length; sent++) await steps.write(0);
      for (const name of ['flush', 'advance', 'begin', 'finish', 'finish'] as const) await steps[name](0);
      assert.equal(model.stateOf(current() ?? '', now()), 'stored');
    };

    const sweepAll = async ({ steps, parts, pass, model }: World) => {
      for (const node of [0, 1]) await steps.crash(node);
      pass(3 * day);
      const count = model.ids().length;
      for (let round = 0; round < count; round++) await steps.list(1);
      // Two steps for each: remove its parts, forget it.
      for (let round = 0; round < 2 * count; round++) await steps.sweep(1);
      await steps.sweepUnknown();
      const { resumables, upload_parts, files } = await engine.read();
      assert.deepEqual([resumables, upload_parts, parts.list()], [[], [], []], 'something is left');
      assert.equal(files[0]?.id, model.file());
    };

    it('every acknowledged byte is durable, there is one file with the bytes sent, the quota is exact, and nothing is left', async () => {
      const reached = new Set<string>();
      const property = fc.asyncProperty(histories, async ({ isGrowing, hasLength, steps: list }) => {
        await engine.fill({ users: [makeUserRow({ id: userId })] });
        const world = createWorld(ports, userId, noon, isGrowing, hasLength);
        for (const [name, n] of list) {
          await world.steps[name](n);
          await check(world);
          reached.add(world.model.stateOf(world.current() ?? '', world.now()));
        }
        await complete(world);
        await check(world);
        await sweepAll(world);
      });
      await fc.assert(property, { seed, numRuns: rounds(60), endOnFailure: true });
      assert.deepEqual([...reached].toSorted(), ['expired', 'finishing', 'open', 'stored', 'unknown']);
    });
  });
