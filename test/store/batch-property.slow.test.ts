// The batch property in depth: a thousand other cases on each database in every run, and every fault planted in every operation that
// can show it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OperationName } from '../../src/store/operations/all.ts';
import { rounds } from '../helpers/faults/rounds.ts';
import { storeKinds } from '../helpers/services/gatehouse.ts';
import { type Engine, openEngine } from './batches/engines.ts';
import { type FaultName, faults } from './batches/faults.ts';
import { checkOperation, checkSeveral, findFault, readers, writers } from './batches/run-property.ts';

/** Cases of an operation that writes, of one that reads, and of several at once. FAULT_ROUNDS=3 and more try more of them. */
const amounts = { sqlite: [10, 2, 80], postgres: [5, 1, 30] } as const;

for (const kind of storeKinds) {
  const [writing, reading, several] = amounts[kind].map(rounds) as [number, number, number];

  describe(`many batches on ${kind}`, () => {
    let engine: Engine;
    before(async () => {
      engine = await openEngine(kind);
    });
    after(() => engine?.end());

    it(`${writers.length * writing} batches of operations that write are treated like their inputs one by one`, async () => {
      for (const name of writers) await checkOperation(engine, name, writing);
    });

    it(`${readers.length * reading} batches of operations that only read are answered like their inputs one by one`, async () => {
      for (const name of readers) await checkOperation(engine, name, reading);
    });

    it(`${several} batches of several operations take effect in an order`, () => checkSeveral(engine, several));
  });
}

/** Operations on which a fault has no effect, by the reason. */
const harmless: Readonly<Record<FaultName, Readonly<Record<string, readonly OperationName[]>>>> = {
  'an input that sees the rows before the batch': {
    'it reads nothing that an earlier input can change': [
      ...(['outbox.finish', 'sweeps.forget', 'files.release', 'audit.record'] as const),
      ...(['files.refuseInfected', 'resumables.leaveFinish', 'resumables.forgetParts'] as const),
      ...(['admins.issue', 'files.isStored', 'journal.tryWriting', 'tables.sweep'] as const),
    ],
    'a message that is given back twice is the same as one given back once': ['outbox.giveBack'],
    'its last input alone decides': [
      ...([
        'files.hold',
        'outbox.park',
        'webhooks.retry',
        'webhookLog.replay',
        'sendRequests.noteSuspension',
        'journal.note',
      ] as const),
    ],
    'the database refuses the second row, and the inputs run one by one': [
      ...([
        'signingKeys.addKey',
        'installations.adopt',
        'installations.claim',
        'removals.end',
        'removals.note',
      ] as const),
    ],
    'two inputs rarely read exactly the same rows': ['limits.clear'],
    'no case has a hundred live keys, which alone an earlier input could add to': [
      ...(['serviceKeys.create', 'serviceKeys.rotate'] as const),
    ],
  },
  'inputs in the wrong order': {
    'the order has no effect': [
      ...([
        'outbox.finish',
        'outbox.giveBack',
        'sweeps.forget',
        'files.release',
        'audit.record',
        'removals.note',
      ] as const),
      ...(['files.refuseInfected', 'resumables.leaveFinish', 'resumables.forgetParts'] as const),
      ...(['admins.issue', 'files.isStored', 'journal.tryWriting', 'admins.touch'] as const),
    ],
    'no case has a hundred live keys, which alone give the order an effect': [
      'serviceKeys.create',
      'serviceKeys.rotate',
    ],
    'its first input places the events for all': ['events.placeAndRead'],
  },
  'an input that is answered but not saved': {
    'it saves nothing': ['files.isStored', 'journal.tryWriting'],
    'its last input replaces what the others saved': ['sweeps.recount', 'journal.note'],
    'it saves with the statement that reads': ['tables.sweep'],
  },
};

describe('faults planted in every operation', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine('sqlite', false);
  });
  after(() => engine?.end());

  for (const fault of Object.keys(faults) as FaultName[]) {
    const spared = new Set<OperationName>(Object.values(harmless[fault]).flat());
    const faulty = writers.filter((name) => !spared.has(name));

    it(`${fault} is found in each of ${faulty.length} operations`, async () => {
      assert.equal(faulty.length + spared.size, writers.length);
      for (const name of faulty) await findFault(engine, name, fault, 300);
    });
  }
});
