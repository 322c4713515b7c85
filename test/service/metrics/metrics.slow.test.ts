// Metrics: exact after a scripted run, summed over workers, with labels from closed sets and no user data.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { messageProviderNames } from '../../../src/adapters/providers.ts';
import { gauges } from '../../../src/service/metrics/gauge-definitions.ts';
import { counters, histograms } from '../../../src/service/metrics/metric-definitions.ts';
import { sweepTargets } from '../../../src/store/engine/sweep-targets.ts';
import { freePort } from '../../helpers/databases/postgres-server.ts';
import {
  askForCode,
  askForLink,
  bindAddress,
  enter,
  guess,
  newAddress,
  outcomeOf,
  redeem,
} from '../../helpers/people/users.ts';
import { newSigningKey, setWebhookReceiver } from '../../helpers/people/webhook-receiver.ts';
import { call, newPhone, refresh, sendOtp } from '../../helpers/requests/api.ts';
import { upload } from '../../helpers/requests/upload.ts';
import { isolatedEnv, type StoreKind, spawnGatehouse } from '../../helpers/services/gatehouse.ts';
import { type Scrape, scrape } from '../../helpers/services/scrape.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

const key = newSigningKey();

async function start(context: TestContext, kind: StoreKind, env: Record<string, string>) {
  const port = String(await freePort());
  const isolated = await isolatedEnv(kind, { METRICS_PORT: port, OTP_ATTEMPTS: '2', ...env });
  const service = await spawnGatehouse(isolated.env);
  context.after(async () => {
    await service.stop('SIGTERM');
    await isolated.dispose();
  });
  return { ...service, readMetrics: () => scrape(port) };
}

const notes = { form: 'json', name: 'notes.txt', bytes: Buffer.from('twelve bytes') } as const;

/** Does everything that is counted, once or a few times. Returns the values that must not appear in the metrics. */
async function walk(url: string): Promise<string[]> {
  const first = await enter(url);
  const second = await enter(url);
  const known = await enter(url, first.phone);
  const phone = newPhone();
  const code = await askForCode(url, phone);
  for (let count = 0; count < 2; count++) assert.equal(outcomeOf(await guess(url, phone, code)), '400 OTP_INVALID');
  assert.equal(outcomeOf(await guess(url, phone, code)), '429 OTP_ATTEMPTS_EXCEEDED');
  assert.equal(
    outcomeOf(await call(url, 'POST', '/api/auth/phone/send/otp', { body: { recipient: phone } })),
    '400 CAPTCHA_REQUIRED',
  );
  assert.equal(outcomeOf(await sendOtp(url, 'nobody')), '400 PHONE_INVALID');
  const address = newAddress();
  await bindAddress(url, first.JWT, address);
  const linked = await redeem(url, await askForLink(url, address));
  assert.equal(outcomeOf(linked), '200');
  const { body } = await refresh(url, second.RT);
  assert.equal(outcomeOf(await refresh(url, second.RT)), '200');
  const { body: next } = await refresh(url, body.data.RT);
  assert.equal(outcomeOf(await refresh(url, second.RT)), '401 REFRESH_TOKEN_REUSED');
  assert.equal(outcomeOf(await refresh(url, next.data.RT)), '401 SESSION_REVOKED');
  assert.equal(outcomeOf(await call(url, 'POST', '/api/auth/logout', { token: known.JWT })), '200');
  const file = await upload(url, { ...notes, purpose: 'document', token: first.JWT });
  assert.equal(outcomeOf(file), '201');
  assert.equal(
    outcomeOf(await upload(url, { ...notes, purpose: 'nonsense', token: first.JWT })),
    '422 FILE_PURPOSE_UNKNOWN',
  );
  const path = `/file/${file.body.data.id}`;
  for (const range of ['bytes=0-', 'bytes=0-4'])
    await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${first.JWT}`, range } }).then((got) =>
      got.text(),
    );
  assert.equal(outcomeOf(await call(url, 'DELETE', `/api${path}`, { token: first.JWT })), '200');
  assert.equal(outcomeOf(await call(url, 'GET', `/nowhere/${first.phone}`)), '404 NOT_FOUND');
  assert.equal(outcomeOf(await call(url, 'DELETE', '/api/auth/me', { token: first.JWT })), '200');
  return [first.phone, second.phone, phone, address, file.body.data.id, '127.0.0.1', '202555', '@', 'notes'];
}

const expected: readonly [name: string, labels: Record<string, string>, value: number][] = [
  ['codes_requested_total', { purpose: 'phone-login' }, 4],
  ['codes_requested_total', { purpose: 'email-binding' }, 1],
  ['links_requested_total', {}, 1],
  ['captcha_checks_total', { outcome: 'passed' }, 6],
  ['captcha_checks_total', { outcome: 'refused' }, 0],
  ['deliveries_total', { channel: 'sms', provider: 'inbox', outcome: 'accepted' }, 4],
  ['deliveries_total', { channel: 'mail', provider: 'inbox', outcome: 'accepted' }, 2],
  ['delivery_seconds_count', { channel: 'sms' }, 4],
  ['sign_ins_total', { method: 'sms', outcome: 'new' }, 2],
  ['sign_ins_total', { method: 'sms', outcome: 'known' }, 1],
  ['sign_ins_total', { method: 'link', outcome: 'known' }, 1],
  ['sign_ins_total', { outcome: 'lost' }, 0],
  ['emails_bound_total', { outcome: 'bound' }, 1],
  ['failures_total', { route: '/api/auth/phone/login', code: 'OTP_INVALID' }, 2],
  ['failures_total', { code: 'CAPTCHA_REQUIRED' }, 1],
  ['failures_total', { route: '/api/file/upload', code: 'FILE_PURPOSE_UNKNOWN' }, 1],
  ['failures_total', { code: 'NOT_FOUND' }, 1],
  ['limits_struck_total', { limit: 'attempts' }, 1],
  ['limits_struck_total', { limit: 'sms-country' }, 0],
  ['refreshes_total', { outcome: 'rotated' }, 2],
  ['refreshes_total', { outcome: 'repeated' }, 1],
  ['refreshes_total', { outcome: 'reused' }, 1],
  ['refreshes_total', { outcome: 'ended' }, 1],
  ['sessions_ended_total', { reason: 'reused' }, 1],
  ['sessions_ended_total', { reason: 'logged out' }, 1],
  ['sessions_ended_total', { reason: 'account deleted' }, 2],
  ['files_stored_total', { purpose: 'document' }, 1],
  ['files_deleted_total', {}, 1],
  ['file_bytes_total', { direction: 'in' }, 12],
  ['file_bytes_total', { direction: 'out' }, 17],
  ['storage_seconds_count', { act: 'keep' }, 1],
  ['request_seconds_count', { route: '/api/auth/phone/login', status: '200' }, 3],
  ['webhooks_total', { outcome: 'delivered' }, 12],
  ['outbox_waiting', {}, 0],
  ['webhooks_waiting', {}, 0],
];

/** Values from other threads arrive a little later. */
async function settled(readMetrics: () => Promise<Scrape>, workers: number): Promise<Scrape> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = await readMetrics();
    const isSettled =
      found.sum('gatehouse_workers') === workers &&
      expected.every(([name, labels, value]) => found.sum(`gatehouse_${name}`, labels) === value);
    if (isSettled || Date.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

for (const [kind, workers] of [
  ['sqlite', 2],
  ['postgres', 1],
] as const) {
  describe(`metrics of ${workers} workers on ${kind}`, () => {
    const receiver = setWebhookReceiver(key);

    it('metrics count a scripted run exactly, with label values from closed sets and no user data', async (context) => {
      const env = { WORKERS: String(workers), WEBHOOK_URL: receiver.url(), WEBHOOK_SECRET: key };
      const { url, readMetrics } = await start(context, kind, env);
      const private_ = await walk(url);
      const found = await settled(readMetrics, workers);
      for (const [name, labels, value] of expected)
        assert.equal(found.sum(`gatehouse_${name}`, labels), value, `${name} ${JSON.stringify(labels)}`);
      assert.equal(found.sum('gatehouse_workers'), workers);
      assert.ok(found.sum('gatehouse_store_batch_seconds_count') > 20);
      assert.ok(found.sum('gatehouse_store_batch_calls_sum') >= found.sum('gatehouse_store_batch_calls_count'));
      assert.equal(
        found.sum('gatehouse_store_batch_calls_bucket', { le: '+Inf' }),
        found.sum('gatehouse_store_batch_calls_count'),
      );
      assert.ok(found.sum('process_resident_memory_bytes') > 0);
      assert.ok(found.kinds.has('nodejs_eventloop_lag_seconds'));
      // A value may have any digits. User data could only be in a name or a label.
      const words = found.text.replaceAll(/ [\d.eE+-]+$/gm, '');
      assert.ok(words.includes('gatehouse_sign_ins_total'));
      for (const word of private_) assert.ok(!words.includes(word), word);
      assert.doesNotMatch(found.text, /[0-9a-f]{8}-[0-9a-f]{4}-7|fil_/);
      checkWords(found);
    });
  });
}

function checkWords({ series }: Scrape): void {
  const tables = { ...counters, ...histograms, ...gauges };
  const open: Readonly<Record<string, RegExp>> = {
    routes: /^(\/[\w.:-]*)*(\/\*)?$|^unknown$/,
    methods: /^[A-Z-]+$/,
    statuses: /^[1-5]\d\d$/,
    purposes: /^(avatar|image|document|audio|video|attachment)$/,
    providers: new RegExp(`^(${messageProviderNames.join('|')})$`),
    sweepTargets: new RegExp(`^(${sweepTargets.join('|')})$`),
  };
  const ours = series.filter(({ name }) => name.startsWith('gatehouse_'));
  for (const { name, labels } of ours) {
    const plain = name.replace(/^gatehouse_/, '').replace(/_(total|bucket|sum|count)$/, '');
    const allowed: Readonly<Record<string, readonly string[] | string>> =
      tables[plain as keyof typeof tables]?.labels ?? {};
    for (const [label, word] of Object.entries(labels)) {
      if (label === 'le') continue;
      const words = allowed[label] ?? assert.fail(`${name} has a label ${label}`);
      if (typeof words === 'string') assert.match(word, open[words] ?? assert.fail(words), `${name} ${label}`);
      else assert.ok(words.includes(word), `${name} ${label}="${word}"`);
    }
  }
}

describe('metrics of workers', () => {
  it('metrics keep what a dead worker has counted', async (context) => {
    const { url, child, readMetrics } = await start(context, 'sqlite', { WORKERS: '2' });
    for (let count = 0; count < 8; count++) await enter(url);
    // On a busy machine a worker may answer too late for one scrape.
    await waitUntil(
      'all sign-ins are counted',
      async () => (await readMetrics()).sum('gatehouse_sign_ins_total') === 8,
    );
    const { execFileSync } = await import('node:child_process');
    const [worker = ''] = execFileSync('pgrep', ['-P', String(child.pid)])
      .toString()
      .trim()
      .split('\n');
    process.kill(Number(worker), 'SIGKILL');
    const deadline = Date.now() + 60_000;
    for (;;) {
      const { sum } = await readMetrics();
      assert.equal(sum('gatehouse_sign_ins_total'), 8);
      if (sum('gatehouse_workers') === 2 && Date.now() > deadline - 59_000) break;
      assert.ok(Date.now() < deadline);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });

  it('a worker that hangs keeps its counts, and its gauges are missing and counted as such', async (context) => {
    const { url, child, readMetrics } = await start(context, 'sqlite', { WORKERS: '2' });
    for (let count = 0; count < 4; count++) await enter(url);
    await waitUntil('both have answered, and all is counted', async () => {
      const { sum } = await readMetrics();
      return sum('gatehouse_workers') === 2 && sum('gatehouse_sign_ins_total') === 4;
    });
    const { execFileSync } = await import('node:child_process');
    const [worker = ''] = execFileSync('pgrep', ['-P', String(child.pid)])
      .toString()
      .trim()
      .split('\n');
    process.kill(Number(worker), 'SIGSTOP');
    const { sum } = await readMetrics().finally(() => process.kill(Number(worker), 'SIGCONT'));
    assert.equal(sum('gatehouse_sign_ins_total'), 4);
    assert.equal(sum('gatehouse_workers'), 1);
    assert.ok(sum('gatehouse_gauge_failures_total') >= Object.keys(gauges).length);
    await waitUntil('both answer again', async () => (await readMetrics()).sum('gatehouse_workers') === 2);
  });
});
