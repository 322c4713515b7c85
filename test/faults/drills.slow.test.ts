// Two drills of `npm run drills` in a short form: an SMS provider hangs, and the synchronous standby is away for longer than the grace
// period of refresh tokens.
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
import { hasHaproxy } from '../helpers/proxies/haproxy.ts';

const isMissing = !hasHaproxy() || !hasPrometheus();
if (isMissing) console.log('skipped: the drills need the haproxy and prometheus packages of Debian');

/** A short form of the times of the command. */
const times = { warmSeconds: 3, faultSeconds: 7, afterSeconds: 3 };
/** Harsher than the default of 30 s, which the command keeps: a fault that is longer would take too long here. */
const settings = { REFRESH_TOKEN_GRACE: '2s' };

describe('drills', { skip: isMissing }, () => {
  it('a provider that hangs and a standby that is away lose no code and sign nobody out', async (test) => {
    const stage = await openStage(undoAfter(test), { settings });
    for (const { seconds: _, ...drill } of choose(drills, 'sms/hangs,standby/down')) {
      const row = judgeDrill(await runDrill(stage, drill, times));
      test.diagnostic(toLine(row, 'now'));
      assert.ok(row.signIns > 0 && row.messages > 0, 'there is a load');
      // Prometheus looks every few seconds, so a fault of seconds need not show.
      const misses = row.misses.filter((goal) => goal !== 'alerts');
      assert.deepEqual(misses, [], nameOf(drill));
    }
  });
});
