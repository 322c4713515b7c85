// Random calls of several users, clock jumps and restarts: the service and a simple model of it always give the same answers.
import { describe, it } from 'node:test';
import { type StoreKind, tierStoreKinds } from '../helpers/services/gatehouse.ts';
import { compareWithModel } from './model/compare.ts';

/** A step takes three times as long on PostgreSQL. */
const steps: Readonly<Record<StoreKind, number>> = { sqlite: 1500, postgres: 500 };

for (const kind of tierStoreKinds) {
  describe(`the service and its model, on ${kind}`, () => {
    it(`the service and its model agree over ${steps[kind]} steps`, async (context) => {
      const { report, given } = await compareWithModel(kind, steps[kind]);
      context.diagnostic(`${report}, ${given.size} kinds of answers`);
    });
  });
}
