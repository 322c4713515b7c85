// The scan of an upload: what each verdict means for it, what is recorded, and how long a client waits.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FileDeps } from '../../../src/files/deps.ts';
import type { Infection } from '../../../src/files/stored-file.ts';
import { scanFile } from '../../../src/files/uploads/scan-file.ts';
import type { Scan, ScanPolicy, ScanTrouble, Verdict } from '../../../src/files/uploads/scanner.ts';
import { uploadTimes } from '../../../src/files/uploads/upload-times.ts';
import { memorySpool, noon } from '../../helpers/blobs/memory-files.ts';
import { asUploadId, asUserId } from '../../helpers/people/ids.ts';

const facts = {
  uploadId: asUploadId('upload'),
  userId: asUserId('ann'),
  purpose: 'document',
  size: 2 ** 20,
  sha256: 'hash',
};

function stage(verdict: Verdict, policy: ScanPolicy = 'closed', outcome: 'refused' | 'gone' = 'refused') {
  const seen: unknown[] = [];
  const scans: Scan[] = [];
  const { signal } = new AbortController();
  const spool = memorySpool();
  const scanning = {
    policy,
    report: (...given: unknown[]) => void seen.push(given),
    scanner: {
      scan: async (scan: Scan) => {
        scans.push(scan);
        return verdict;
      },
    },
  };
  const files = {
    refuseInfected: async (infection: unknown) => {
      seen.push(infection);
      return outcome;
    },
  };
  const deps = { scanning, files, clock: { now: () => noon }, uploadTimes } as Partial<FileDeps> as FileDeps;
  const run = (more: Pick<Infection, 'by'> = {}) => scanFile(deps, { ...facts, ...more, spool, signal });
  return { run, seen, scans, deps, spool, signal };
}

describe('the scan of an upload', () => {
  it('a clean file may be stored, and was scanned for its user with the time for its size', async () => {
    const { run, seen, scans, spool, signal } = stage({ kind: 'clean' });
    await run();
    assert.deepEqual(seen, []);
    assert.deepEqual(scans, [{ userId: 'ann', spool, milliseconds: 10_100, signal }]);
  });

  it('without a scanner every file may be stored', async () => {
    const { deps, spool, signal, scans } = stage({ kind: 'infected', signature: 'X' });
    await scanFile({ ...deps, scanning: undefined }, { ...facts, spool, signal });
    assert.deepEqual(scans, []);
  });

  for (const policy of ['closed', 'open'] as const)
    it(`an infected file is recorded and refused, also with SCAN_FAIL=${policy}`, async () => {
      const { run, seen } = stage({ kind: 'infected', signature: 'Some.Name' }, policy);
      await assert.rejects(run(), { code: 'FILE_INFECTED' });
      assert.deepEqual(seen, [{ ...facts, signature: 'Some.Name', now: noon }]);
    });

  it('an infected file that the back end sends for a user who was deleted meanwhile is not found', async () => {
    const by = { actor: 'service', key: 'k1', why: '' } as const;
    await assert.rejects(stage({ kind: 'infected', signature: 'X' }, 'closed', 'gone').run({ by }), {
      code: 'NOT_FOUND',
    });
  });

  it('an infected file of a user who was deleted meanwhile ends their session', async () => {
    await assert.rejects(stage({ kind: 'infected', signature: 'X' }, 'closed', 'gone').run(), {
      code: 'SESSION_REVOKED',
    });
  });

  for (const [trouble, retryAfterSeconds] of [
    ['unreachable', 5],
    ['slow', 30],
    ['refused', 30],
    ['limit', 3600],
  ] as const satisfies readonly (readonly [ScanTrouble, number])[]) {
    const verdict = { kind: 'unscanned', trouble, detail: 'why' } as const;

    it(`a file whose scanner is “${trouble}” is refused for ${retryAfterSeconds} seconds, and reported`, async () => {
      const { run, seen } = stage(verdict);
      const error = await run().then(
        () => assert.fail('stored'),
        (failure: unknown) => failure as Error & { code: string },
      );
      assert.equal(error.code, 'SERVICE_UNAVAILABLE');
      assert.deepEqual((error as { detail?: unknown }).detail, { retryAfterSeconds });
      assert.match(String(error.cause), /not scanned: why/);
      assert.deepEqual(seen, [[verdict, false]]);
    });

    it(`a file whose scanner is “${trouble}” is stored with SCAN_FAIL=open, and reported`, async () => {
      const { run, seen } = stage(verdict, 'open');
      await run();
      assert.deepEqual(seen, [[verdict, true]]);
    });
  }
});
