// Uploads to a service with a scanner: an infected file leaves nothing behind but its event, and a broken scanner fails as SCAN_FAIL says.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { testFile } from '../../../../../src/adapters/scan/test-file.ts';
import { markName } from '../../../../../src/files/storage/blob-store.ts';
import { freePort } from '../../../../helpers/databases/postgres-server.ts';
import { askStore } from '../../../../helpers/databases/raw-store.ts';
import { openSocket } from '../../../../helpers/faults/hostile-sockets.ts';
import { outcomeOf } from '../../../../helpers/people/users.ts';
import { newSigningKey, setWebhookReceiver } from '../../../../helpers/people/webhook-receiver.ts';
import { newPhone, signIn } from '../../../../helpers/requests/api.ts';
import { upload } from '../../../../helpers/requests/upload.ts';
import { tierStoreKinds } from '../../../../helpers/services/gatehouse.ts';
import { fetchTableOperations } from '../../../../helpers/services/openapi-document.ts';
import { scrape } from '../../../../helpers/services/scrape.ts';
import { type Stage, setStage } from '../../../../helpers/services/stage.ts';
import { type FakeClamd, startFakeClamd } from '../../../../helpers/uploads/fake-clamd.ts';
import { waitUntil } from '../../../../helpers/wait-until.ts';

const key = newSigningKey();
const infected = testFile();
const sha256 = hash('sha256', infected);
const quick = { times: { webhooks: { pollMilliseconds: 25 } } };
/** Only where the scanner never answers: every other scan may take as long as a busy machine needs. */
const impatient = { times: { upload: { scanMilliseconds: 500 } } };

/** A plan in JSON. */
function sendPlan(url: string, token: string, bytes: Buffer, headers: Record<string, string> = {}) {
  return upload(url, { form: 'json', purpose: 'document', name: 'secret plan.txt', bytes, token, headers });
}

/** Everything that an upload could leave behind. */
async function leftovers({ env }: Stage) {
  const names = readdirSync(join(String(env.DATA_DIR), 'files'), { recursive: true, withFileTypes: true });
  const onDisk = names.filter((entry) => entry.isFile() && entry.name !== markName).length;
  const [files, uploads, keys, used] = await Promise.all(
    ['files', 'uploads', 'idempotency_keys', 'file_usage where bytes > 0 or files > 0'].map((rows) =>
      askStore(env, `select 1 as one from ${rows}`).then(({ length }) => length),
    ),
  );
  return { files, uploads, keys, used, onDisk };
}

const nothing = { files: 0, uploads: 0, keys: 0, used: 0, onDisk: 0 };

async function mentions(url: string): Promise<string[]> {
  const pages = await Promise.all(
    ['/openapi.json', '/docs/api/file', '/docs/errors'].map(async (path) => [
      path,
      await (await fetch(`${url}${path}`)).text(),
    ]),
  );
  return pages.filter(([, text]) => text?.includes('FILE_INFECTED')).map(([path]) => String(path));
}

for (const kind of tierStoreKinds) {
  describe(`an upload to a service with a scanner, on ${kind}`, () => {
    const receiver = setWebhookReceiver(key);
    let clamd: FakeClamd;
    let metricsPort: string;
    before(async () => {
      clamd = await startFakeClamd();
      metricsPort = String(await freePort());
    });
    const stage = setStage(
      kind,
      () => ({ SCAN_URL: clamd.url, WEBHOOK_URL: receiver.url(), WEBHOOK_SECRET: key }),
      quick,
    );
    let token: string;
    before(async () => {
      token = (await signIn(stage.url, newPhone())).JWT;
    });
    afterEach(() => clamd.act(undefined));
    after(() => clamd.stop());

    it('an infected file is refused and leaves nothing behind but an event, as often as it is sent', async () => {
      for (const round of [1, 2]) {
        const reply = await sendPlan(stage.url, token, infected, { 'idempotency-key': 'one' });
        assert.equal(outcomeOf(reply), '422 FILE_INFECTED', `${round}`);
        assert.equal(reply.body.message, 'The file was rejected because it contains malware.');
        assert.deepEqual(await leftovers(stage), nothing);
        assert.equal(clamd.files.length, round);
      }
      const events = await receiver.expect(2, ({ type }) => type === 'file.infected');
      const found = { purpose: 'document', size: infected.length, sha256, signature: 'Eicar-Test-Signature' };
      for (const { data, text } of events) {
        assert.equal(typeof data.userId, 'string');
        assert.deepEqual(data, { userId: data.userId, ...found });
        assert.ok(!text.includes('plan'));
      }
      const rows = await askStore(stage.env, "select detail from audit_events where kind = 'file.infected'");
      assert.deepEqual(
        rows.map(({ detail }) => JSON.parse(String(detail))),
        [found, found],
      );
      assert.equal(
        outcomeOf(await sendPlan(stage.url, token, Buffer.from('clean'), { 'idempotency-key': 'one' })),
        '201',
      );
    });

    it('a clean file is scanned as it is stored, and a repetition with its key is not scanned again', async () => {
      const content = Buffer.from('nothing to fear');
      const stored = await sendPlan(stage.url, token, content, { 'idempotency-key': 'two' });
      assert.equal(outcomeOf(stored), '201');
      assert.deepEqual(clamd.files.at(-1), content);
      const scans = clamd.files.length;
      const again = await sendPlan(stage.url, token, content, { 'idempotency-key': 'two' });
      assert.deepEqual(again.body.data, stored.body.data);
      assert.equal(clamd.files.length, scans);
    });

    it('a scanner that refuses, hangs up or has too small a limit refuses the upload and leaves nothing behind', async () => {
      const before = await leftovers(stage);
      for (const [answer, seconds] of [
        ['INSTREAM size limit exceeded. ERROR\0', '3600'],
        ['what?\0', '30'],
        ['hang up', '5'],
      ] as const) {
        clamd.act((socket, { file }) => {
          if (file === undefined) return false;
          if (answer === 'hang up') socket.resetAndDestroy();
          else socket.end(answer);
          return true;
        });
        const reply = await sendPlan(stage.url, token, Buffer.from('clean'), { 'idempotency-key': 'three' });
        assert.equal(outcomeOf(reply), '503 SERVICE_UNAVAILABLE', answer);
        assert.equal(reply.headers.get('retry-after'), seconds, answer);
        assert.deepEqual(await leftovers(stage), before);
        assert.equal((await fetch(`${stage.url}/readyz`)).status, 200, 'sign-in does not depend on it');
      }
      clamd.act(undefined);
      assert.equal(
        outcomeOf(await sendPlan(stage.url, token, Buffer.from('clean'), { 'idempotency-key': 'three' })),
        '201',
      );
    });

    it('a client that disconnects ends its scan, and leaves nothing behind', async () => {
      const before = await leftovers(stage);
      clamd.act((_socket, { file }) => file !== undefined);
      const body = 'just text';
      const head = `POST /api/file/upload?purpose=document HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      const socket = await openSocket(stage.url, Buffer.from(head));
      await waitUntil('the scan is under way', () => clamd.open === 1);
      socket.destroy();
      await waitUntil('the scan has ended', () => clamd.open === 0);
      await waitUntil('nothing is left', async () => {
        const now = await leftovers(stage);
        return now.uploads === before.uploads && now.onDisk === before.onDisk && now.files === before.files;
      });
    });

    it('the documents of the service name FILE_INFECTED, for uploads only', async () => {
      assert.deepEqual(await mentions(stage.url), ['/openapi.json', '/docs/api/file', '/docs/errors']);
      const paths = await fetchTableOperations<object>(stage.url);
      const naming = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, operation]) => JSON.stringify(operation).includes('FILE_INFECTED'))
          .map(([method]) => `${method} ${path}`),
      );
      assert.deepEqual(naming, ['post /api/file/upload', 'patch /api/file/upload/{id}', 'post /api/service/files']);
    });

    it('with SCAN_FAIL=open a file that cannot be scanned is stored and counted, and an infected one is still refused', async () => {
      await stage.restart({ SCAN_FAIL: 'open', METRICS_PORT: metricsPort });
      await stage.service.metrics.listen('127.0.0.1', Number(metricsPort));
      clamd.act((socket, { file }) => file !== undefined && Boolean(socket.end('what?\0')));
      assert.equal(outcomeOf(await sendPlan(stage.url, token, Buffer.from('clean'))), '201');
      clamd.act(undefined);
      assert.equal(outcomeOf(await sendPlan(stage.url, token, infected)), '422 FILE_INFECTED');
      assert.equal(outcomeOf(await sendPlan(stage.url, token, Buffer.from('clean'))), '201');
      const { sum } = await scrape(metricsPort);
      assert.equal(sum('gatehouse_files_unscanned_total'), 1);
      for (const outcome of ['refused', 'infected', 'clean'])
        assert.equal(sum('gatehouse_scans_total', { outcome }), 1, outcome);
      assert.equal(sum('gatehouse_scan_seconds_count'), 2);
    });
  });

  describe(`an upload to a service whose scanner is silent, on ${kind}`, () => {
    let clamd: FakeClamd;
    before(async () => {
      clamd = await startFakeClamd();
    });
    after(() => clamd.stop());
    const stage = setStage(kind, () => ({ SCAN_URL: clamd.url }), impatient);

    it('a scanner that is silent refuses the upload and leaves nothing behind', async () => {
      const { JWT } = await signIn(stage.url, newPhone());
      clamd.act((_socket, { file }) => file !== undefined);
      const reply = await sendPlan(stage.url, JWT, Buffer.from('clean'), { 'idempotency-key': 'silent' });
      assert.deepEqual([outcomeOf(reply), reply.headers.get('retry-after')], ['503 SERVICE_UNAVAILABLE', '30']);
      assert.deepEqual(await leftovers(stage), nothing);
      assert.equal((await fetch(`${stage.url}/readyz`)).status, 200, 'sign-in does not depend on it');
    });
  });

  describe(`an upload to a service without a scanner, on ${kind}`, () => {
    const stage = setStage(kind);

    it('the documents of a service without a scanner do not name FILE_INFECTED', async () => {
      assert.deepEqual(await mentions(stage.url), []);
    });
  });
}
