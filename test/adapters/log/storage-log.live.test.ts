// What logs and metrics report when the storage or a background job fails: the reason, in few lines, and never a secret.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createS3Blobs } from '../../../src/adapters/s3/s3-blobs.ts';
import type { ReportRefusal } from '../../../src/adapters/s3/s3-outcome.ts';
import type { S3Timing } from '../../../src/adapters/s3/s3-transport.ts';
import type { Log, LogFields } from '../../../src/kernel/process/telemetry.ts';
import { createRateLimitedWarnings } from '../../../src/kernel/work/rate-limited-warnings.ts';
import { counters } from '../../../src/service/metrics/metric-definitions.ts';
import { failsWith, keepBytes, makeFolder, providerUrl, someBytes } from '../../helpers/blobs/blobs.ts';
import { type S3Server, startS3Server } from '../../helpers/blobs/s3-server.ts';
import { freePort } from '../../helpers/databases/postgres-server.ts';
import { newPhone, signIn } from '../../helpers/requests/api.ts';
import { upload } from '../../helpers/requests/upload.ts';
import { type GatehouseProcess, isolatedEnv, spawnGatehouse } from '../../helpers/services/gatehouse.ts';
import { scrape } from '../../helpers/services/scrape.ts';
import { pngFile } from '../../helpers/uploads/sample-files.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

type Line = Readonly<Record<string, unknown>> & { readonly level: string; readonly msg: string };

describe('the log of a service whose S3 refuses requests', () => {
  let server: S3Server;
  let service: GatehouseProcess;
  let dispose: () => Promise<void>;
  let token: string;
  let metricsPort: number;
  before(async () => {
    server = await startS3Server();
    metricsPort = await freePort();
    const isolated = await isolatedEnv('sqlite', {
      STORAGE_URL: server.url({ secret: 'another/secret' }),
      LIMIT_UPLOADS_PER_USER: 'off',
      LOG_LEVEL: 'info',
      METRICS_PORT: String(metricsPort),
    });
    dispose = isolated.dispose;
    service = await spawnGatehouse(isolated.env);
    token = (await signIn(service.url, newPhone())).JWT;
  });
  after(async () => {
    await service?.stop('SIGKILL');
    await server?.stop();
    await dispose?.();
  });
  const send = async (requestId: string) => {
    const picture = { purpose: 'image', type: 'image/png', bytes: pngFile() };
    return (await upload(service.url, { token, ...picture, headers: { 'x-request-id': requestId } })).status;
  };
  const linesWith = async (text: string): Promise<Line[]> => {
    await waitUntil(`the log says ${text}`, () => service.output().stdout.includes(text));
    const lines = service.output().stdout.trim().split('\n');
    return lines.filter((line) => line.includes(text)).map((line) => JSON.parse(line) as Line);
  };

  it('refused uploads are logged as warnings with the reason and the request id, and storage refusals once for many', async () => {
    for (let round = 0; round < 5; round++) assert.equal(await send(`request-${round}`), 503);
    for (let round = 0; round < 5; round++) {
      const [line] = await linesWith(`"request-${round}"`);
      assert.deepEqual([line?.level, line?.msg, line?.failure], ['warn', 'request', 'STORAGE_UNAVAILABLE']);
      assert.match(String(line?.cause), /^S3 answered PUT fil_\S+ with 403 SignatureDoesNotMatch$/);
    }
    const warnings = (await linesWith('storage refused')).filter(({ act }) => act === 'keep');
    assert.ok(warnings.length < 5, 'repeats in a short time are only counted');
    assert.deepEqual([warnings[0]?.level, warnings[0]?.act, warnings[0]?.reason], ['warn', 'keep', 'denied']);
    const metrics = await scrape(metricsPort);
    assert.equal(metrics.sum('gatehouse_storage_refusals_total', { act: 'keep', reason: 'denied' }), 5);
  });

  it('no 5xx answer is logged at info, and no secret or signature is logged', async () => {
    const { stdout } = service.output();
    for (const line of stdout.trim().split('\n')) {
      const { level, status } = JSON.parse(line) as { level: string; status?: number };
      if ((status ?? 0) >= 500) assert.equal(level, 'warn');
    }
    assert.doesNotMatch(stdout, /another.secret|Signature=|AWS4-HMAC|AKTESTKEY/);
  });
});

describe('reports of storage refusals', () => {
  const words = counters.storage_refusals.labels;
  it('every refusal of S3 is reported with a class from a closed list and the code of the server', async (test) => {
    const server = await startS3Server();
    test.after(() => server.stop());
    const seen: string[] = [];
    const report: ReportRefusal = ({ act, reason, detail }) => {
      assert.ok(words.act.includes(act) && words.reason.includes(reason));
      seen.push(`${act} ${reason}: ${detail.replace(/fil_[\w-]+/, 'ID')}`);
    };
    /** So long that only a server that never answers is late. */
    const patient = { retryPausesMilliseconds: [1] };
    const open = (changes: Parameters<S3Server['url']>[0] = {}, timing: Partial<S3Timing> = patient) =>
      createS3Blobs(providerUrl(server.url(changes)), makeFolder(), timing, report);
    const keep = (changes = {}, timing = {}) =>
      keepBytes(open(changes, { ...patient, ...timing }), someBytes(10)).catch(() => undefined);
    await keep({ id: 'NOBODY' });
    await keep({ bucket: 'elsewhere' });
    server.skew = 20 * 60_000;
    await keep();
    server.skew = 0;
    server.faults.add('PUT', { kind: 'status', status: 503, code: 'SlowDown' }, 2);
    await keep();
    server.faults.add('PUT', { kind: 'status', status: 507 }, 1);
    await keep();
    server.faults.add('PUT', { kind: 'stalled request' }, 1);
    await keep({}, { idleMilliseconds: 300 });
    await server.stop();
    await failsWith('STORAGE_UNAVAILABLE', open().ping());
    await server.start();
    assert.deepEqual(seen, [
      'keep denied: S3 answered PUT ID with 403 InvalidAccessKeyId',
      'keep missing: S3 answered PUT ID with 404 NoSuchBucket',
      'keep clock: S3 answered PUT ID with 403 RequestTimeTooSkewed',
      'keep busy: S3 answered PUT ID with 503 SlowDown',
      'keep busy: S3 answered PUT ID with 503 SlowDown',
      'keep full: S3 answered PUT ID with 507',
      'keep time-out: S3 PUT ID: answer time-out',
      'list connection: S3 GET bucket: ECONNREFUSED',
      'list connection: S3 GET bucket: ECONNREFUSED',
    ]);
  });
});

describe('frequent warnings', () => {
  it('a frequent warning is logged once per interval for each kind, with the number of omitted ones', () => {
    const lines: [string, LogFields | undefined][] = [];
    const log = { warn: (event: string, facts?: LogFields) => lines.push([event, facts]) } as unknown as Log;
    let now = 0;
    const warn = createRateLimitedWarnings(log, 60_000, () => now);
    for (let count = 0; count < 1000; count++) warn('one', 'failed', { count });
    warn('two', 'failed', { count: 0 });
    now = 60_000;
    warn('one', 'failed', { count: 1000 });
    now = 120_000;
    warn('one', 'failed', { count: 1001 });
    assert.deepEqual(lines, [
      ['failed', { count: 0 }],
      ['failed', { count: 0 }],
      ['failed', { count: 1000, leftOut: 999 }],
      ['failed', { count: 1001 }],
    ]);
  });
});
