// Two drills of `npm run drills` in a short form, so that the harness works: a provider is gone, and a node is killed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { choose } from '../../bench/drills/choose.ts';
import { nameOf } from '../../bench/drills/drill.ts';
import { drills } from '../../bench/drills/drills.ts';
import { judgeDrill } from '../../bench/drills/judge.ts';
import { hasPrometheus } from '../../bench/drills/prometheus.ts';
import { runDrill } from '../../bench/drills/run-drill.ts';
import { openStage } from '../../bench/drills/stage.ts';
import { toLine } from '../../bench/drills/table.ts';
import { undoAfter } from '../helpers/faults/undo.ts';
import { hasHaproxy } from '../helpers/haproxy.ts';

const isMissing = !hasHaproxy() || !hasPrometheus();
if (isMissing) console.log('skipped: the drills need the haproxy and prometheus packages of Debian');

/** A short form of the times of the command. */
const times = { warmSeconds: 3, faultSeconds: 6, afterSeconds: 3 };

describe('drills', { skip: isMissing }, () => {
  it('a provider that is gone and a node that is killed keep the promises', async (test) => {
    const stage = await openStage(undoAfter(test));
    for (const drill of choose(drills, 'sms/down,node/down')) {
      const row = judgeDrill(await runDrill(stage, drill, times));
      test.diagnostic(toLine(row, 'now'));
      assert.ok(row.signIns > 0 && row.messages > 0, 'there is a load');
      assert.deepEqual(row.misses, [], nameOf(drill));
    }
  });
});
