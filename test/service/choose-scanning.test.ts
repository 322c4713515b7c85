// The scanner that the settings name: none without SCAN_URL, and one that logs and counts what it could not scan.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../src/config/config.ts';
import { chooseScanning } from '../../src/service/choose-scanning.ts';
import type { Metrics } from '../../src/service/metrics/metric-definitions.ts';
import { memoryLog } from '../helpers/blobs/memory-files.ts';

function configOf(env: Record<string, string>) {
  const result = readConfig(env);
  return 'config' in result ? result.config : assert.fail(JSON.stringify(result.problems));
}

describe('the choice of a scanner', () => {
  const counted: unknown[][] = [];
  const metrics = { count: (...args: unknown[]) => void counted.push(args) } as Partial<Metrics> as Metrics;

  it('without SCAN_URL there is no scanner', async () => {
    assert.equal(await chooseScanning(configOf({ SCAN_FAIL: 'open' }), metrics, memoryLog().log), undefined);
  });

  it('a file that was not scanned is logged, one line for many of a kind, and counted if it is stored', async () => {
    const { log, lines } = memoryLog();
    const env = { SCAN_URL: 'clamd://127.0.0.1:3310', SCAN_FAIL: 'open', WORKERS: '20' };
    const { policy, report } = (await chooseScanning(configOf(env), metrics, log)) ?? assert.fail('none');
    assert.equal(policy, 'open');
    const slow = { kind: 'unscanned', trouble: 'slow', detail: 'no answer in time' } as const;
    report(slow, false);
    assert.deepEqual(counted, []);
    report(slow, true);
    report({ ...slow, trouble: 'limit', detail: 'too large' }, true);
    assert.deepEqual(counted, [
      ['files_unscanned', {}],
      ['files_unscanned', {}],
    ]);
    assert.deepEqual(lines, [
      ['warn', 'upload not scanned', { trouble: 'slow', detail: 'no answer in time', isStored: false }],
      ['warn', 'upload not scanned', { trouble: 'limit', detail: 'too large', isStored: true }],
    ]);
  });
});
