// Random calls of several users, clock jumps and restarts: the service and a simple model of it always give the same answers.
import { describe, it } from 'node:test';
import { tierStoreKinds } from '../helpers/gatehouse.ts';
import { compareWithModel } from '../helpers/model/compare.ts';

for (const kind of tierStoreKinds) {
  describe(`the service and its model, on ${kind}`, () => {
    it('the service and its model agree over 1,500 steps', async (context) => {
      const { report, given } = await compareWithModel(kind, 1500);
      context.diagnostic(`${report}, ${given.size} kinds of answers`);
    });
  });
}
