// The health of a service: its memory, open files, spool files and log, before and after.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatehouseProcess, TestEnv } from '../../helpers/services/gatehouse.ts';

type Gauges = { readonly mebibytes: number; readonly descriptors: number };

/** A pool of database connections, two examiner threads (five each) and the files of a first request. Nothing else may stay open. */
const moreDescriptors = 30;

export function readGauges({ child }: GatehouseProcess): Gauges {
  if (process.platform !== 'linux') return { mebibytes: 0, descriptors: 0 };
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return {
    mebibytes: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024),
    descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
  };
}

/** Waits until open files are closed. Files that stay open after that are a leak. */
export async function checkRest(service: GatehouseProcess, env: TestEnv, before: Gauges): Promise<Gauges> {
  const folder = join(env.DATA_DIR ?? '', 'files', 'spool');
  // Small uploads need none.
  const spools = () => (existsSync(folder) ? readdirSync(folder).length : 0);
  const most = before.descriptors + moreDescriptors;
  const isCalm = () => spools() === 0 && readGauges(service).descriptors <= most;
  for (let round = 0; round < 400 && !isCalm(); round++) await sleep(50);
  const after = readGauges(service);
  assert.equal(spools(), 0, 'no spool file is left');
  assert.ok(after.descriptors <= most, `${after.descriptors} open files, ${before.descriptors} before`);
  return after;
}

/** A broken request causes at most a warning, so the log has no error. */
export function checkLog(service: GatehouseProcess): void {
  const { stdout, stderr } = service.output();
  const isTrouble = (line: string) =>
    line.startsWith('{') ? /"level":"(error|fatal)"/.test(line) : /^\s+at |Error: |unhandled/i.test(line);
  assert.deepEqual(`${stdout}\n${stderr}`.split('\n').filter(isTrouble).slice(0, 5), [], 'the log');
}
