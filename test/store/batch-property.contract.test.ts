// Inputs that waited together answer like the same inputs one by one and leave the same rows: a few cases of every operation.
import { after, before, describe, it } from 'node:test';
import { storeKinds } from '../helpers/services/gatehouse.ts';
import { type Engine, openEngine } from './batches/engines.ts';
import type { FaultName } from './batches/faults.ts';
import { checkOperation, checkSeveral, findFault, readers, writers } from './batches/run-property.ts';

/** Cases of an operation that writes, of one that reads, and of several at once. */
const amounts = { sqlite: [5, 2, 40], postgres: [2, 1, 15] } as const;

for (const kind of storeKinds) {
  const [writing, reading, several] = amounts[kind];

  describe(`a batch of inputs on ${kind}`, () => {
    let engine: Engine;
    before(async () => {
      engine = await openEngine(kind);
    });
    after(() => engine?.end());

    for (const name of writers) {
      it(`${name} treats a batch like its inputs one by one`, () => checkOperation(engine, name, writing));
    }

    it('operations that only read answer a batch like its inputs one by one', async () => {
      for (const name of readers) await checkOperation(engine, name, reading);
    });

    it('operations that wait together take effect one after the other', () => checkSeveral(engine, several));
  });
}

describe('a planted fault', () => {
  let engine: Engine;
  before(async () => {
    engine = await openEngine('sqlite', false);
  });
  after(() => engine?.end());

  const planted = [
    ['signIns.signInWithPhone', 'an input that sees the rows before the batch'],
    ['sessions.rotate', 'an input that sees the rows before the batch'],
    ['files.reserve', 'an input that sees the rows before the batch'],
    ['sendRequests.request', 'inputs in the wrong order'],
    ['files.deleteFile', 'inputs in the wrong order'],
    ['outbox.finishSent', 'an input that is answered but not saved'],
  ] as const satisfies readonly (readonly [string, FaultName])[];
  for (const [name, fault] of planted) it(`${fault}, in ${name}, is found`, () => findFault(engine, name, fault, 100));
});
