// The composition root: chooses the adapters that the settings name and joins the parts. The only file that knows them all.
import type { FastifyInstance } from 'fastify';
import { texts } from '../web/texts/all.ts';
import { createExaminer } from './adapters/examiner/create-examiner.ts';
import { createPinoLog } from './adapters/log/pino-log.ts';
import { tellFigures } from './adapters/metrics/cluster-figures.ts';
import { createPrometheusMetrics, type PrometheusMetrics } from './adapters/metrics/prometheus.ts';
import { loadPages } from './adapters/pages/load-pages.ts';
import { type OpenedStore, openStore } from './adapters/sql/open-store.ts';
import { createDeskPorts, createPorts } from './adapters/sql/ports.ts';
import type { Store } from './adapters/sql/store.ts';
import { sweepOnce } from './adapters/sql/sweeper.ts';
import { findTracer } from './adapters/tracing/global-tracer.ts';
import { assembleServer } from './assemble-server.ts';
import type { AuthDeps } from './auth/deps.ts';
import { createKeyRing } from './auth/key-ring.ts';
import { createRevocations } from './auth/revocations.ts';
import { signingKeyPolicy } from './auth/signing-key.ts';
import { chooseBlobs } from './choose-blobs.ts';
import { chooseCaptcha } from './choose-captcha.ts';
import type { Announce } from './choose-senders.ts';
import type { Config } from './config/config.ts';
import { loadSecrets } from './config/service-secret.ts';
import { countCaptcha, countOutcomes, timeBlobs } from './count-outcomes.ts';
import { type DeliveryTalk, runDelivery } from './delivery-thread.ts';
import { checkFiles, removeAdrift } from './files/check-files.ts';
import type { FileDeps } from './files/deps.ts';
import { createSpoolRoom } from './files/spool-room.ts';
import type { Clock } from './kernel/clock.ts';
import { type Loop, startLoop } from './kernel/loop.ts';
import { createSecrets } from './kernel/secrets.ts';
import type { Log } from './kernel/telemetry.ts';
import { registerGauges } from './register-gauges.ts';
import { startDeliveryThread } from './start-delivery.ts';
import { traceBlobs, traceStore } from './trace-calls.ts';

export type App = {
  readonly server: FastifyInstance;
  readonly store: Store;
  readonly log: Log;
  readonly metrics: PrometheusMetrics;
  /** From now on readiness is false and answers close their connections. */
  beginStop(): void;
  /** Ends background work and the store; the server must be closed before. */
  end(): Promise<void>;
};

export type AppOptions = {
  /** Told of every message that ends in the inbox. */
  readonly announce?: Announce;
  /** Instead of the store's clock, for tests. */
  readonly clock?: Clock;
  /** A store that is being opened already. */
  readonly store?: Promise<OpenedStore>;
};

export async function createApp(
  config: Config,
  { announce = () => undefined, clock: givenClock, store: opening }: AppOptions = {},
): Promise<App> {
  const log = createPinoLog(config.logLevel);
  const metrics = createPrometheusMetrics();
  if (config.listen.workers > 1) tellFigures(metrics.dump);
  const pages = loadPages();
  pages.catch(() => undefined);
  const tracer = findTracer();
  const store = traceStore(await (opening ?? openStore(config)), tracer);
  store.watch((error) => {
    metrics.count('store_troubles', {});
    log.warn('store trouble', { error });
  });
  const applied = await store.migrations.up((error) => log.warn('waiting for the database', { error }));
  for (const name of applied) log.info('migrated', { migration: name });
  const ports = countOutcomes(createPorts(store), metrics);
  const clock = givenClock ?? store.clock;
  const { secret, previousSecret } = loadSecrets(config);
  const secrets = createSecrets(secret, previousSecret);
  const accessTokenLifeSeconds = config.accessTokenLifeSeconds;
  const keyRing = createKeyRing({
    store: ports.signingKeys,
    secrets,
    clock,
    policy: signingKeyPolicy,
    accessTokenLifeSeconds,
  });
  await keyRing.refresh();
  const revocations = createRevocations(ports.sessions, clock, accessTokenLifeSeconds);
  await revocations.follow();

  const blobs = timeBlobs(traceBlobs(await chooseBlobs(config), tracer), metrics);
  const examiner = createExaminer(log, (loss) => metrics.count('examiners_lost', { loss }));
  const fileDeps: FileDeps = {
    clock,
    files: ports.files,
    blobs,
    examiner,
    purposes: config.files.purposes,
    quota: config.files.quota,
    spoolRoom: createSpoolRoom(config.files.quota.bytes),
    log,
  };

  const talk: DeliveryTalk = {
    announce,
    reportWebhook: ({ outcome, seconds, ...news }) => {
      metrics.count('webhooks', { outcome });
      if (outcome === 'delivered') metrics.observe('webhook_seconds', {}, seconds);
      log[outcome === 'delivered' ? 'debug' : 'warn']('webhook', { outcome, seconds, ...news });
    },
    report: ({ channel, provider, outcome, seconds, error }) => {
      metrics.count('deliveries', { channel, provider, outcome });
      if (outcome === 'accepted') metrics.observe('delivery_seconds', { channel }, seconds);
      log.info('delivery', { channel, provider, outcome, seconds, ...(error !== undefined && { reason: error }) });
    },
  };
  // A clock that is handed in cannot be shared with a thread.
  const delivery =
    givenClock === undefined
      ? startDeliveryThread({ ...config, previousSecret }, secret, store, talk, log)
      : await runDelivery({ ...config, previousSecret }, secret, store, clock, talk);

  const deps: AuthDeps = {
    ...ports,
    clock,
    secrets,
    keyRing,
    revocations,
    captcha: countCaptcha(chooseCaptcha(config.captcha, secrets, clock), metrics),
    testRecipients: config.testRecipients,
    otp: config.otp,
    sends: config.sends,
    brake: config.brake,
    accessToken: { issuer: config.publicUrl, audience: config.publicUrl, lifeSeconds: accessTokenLifeSeconds },
    sessionPolicy: config.session,
    linkLifeSeconds: config.linkLifeSeconds,
    isSignupOpen: config.signup === 'open',
    removeBlobs: async (fileIds) => {
      for (const id of fileIds)
        await blobs.remove(id).catch((error: unknown) => log.warn('a blob stays behind', { error }));
    },
    wakeDelivery: delivery.wake,
  };
  let isStopping = false;
  const server = assembleServer(config, {
    auth: deps,
    files: fileDeps,
    support: { ...deps, ...fileDeps, ...createDeskPorts(store) },
    inbox: ports.inbox,
    pages: { ...(await pages), texts },
    log,
    metrics,
    isStopping: () => isStopping,
    askStore: () => store.ping(),
  });
  const loops = startLoops(config, store, { keyRing, revocations }, fileDeps, log, metrics);
  registerGauges(metrics, config, store, ports, clock);
  metrics.gauge('uploads_waiting', () => [{ value: examiner.waiting }]);
  return {
    server,
    store,
    log,
    metrics,
    beginStop: () => {
      isStopping = true;
    },
    end: async () => {
      await Promise.all([...loops.map((loop) => loop.stop()), delivery.stop(), examiner.stop()]);
      await Promise.all([store.close(), metrics.close()]);
    },
  };
}

function startLoops(
  config: Config,
  store: Store,
  { keyRing, revocations }: Pick<AuthDeps, 'keyRing' | 'revocations'>,
  fileDeps: FileDeps,
  log: Log,
  metrics: PrometheusMetrics,
): Loop[] {
  const report = (name: string) => (error: unknown) => log.debug('background work failed', { name, error });
  const policy = {
    accessTokenLifeSeconds: config.accessTokenLifeSeconds,
    sessionLifeSeconds: config.session.lifeSeconds,
  };
  const sweep = async () => {
    for (const [table, count] of await sweepOnce(store, policy)) {
      metrics.count('swept_rows', { table }, count);
    }
  };
  return [
    startLoop(400, () => revocations.follow(), report('revocations')),
    startLoop(400, () => keyRing.refresh(), report('signing keys')),
    startLoop(30_000, sweep, report('sweeper')),
    startLoop(60_000, () => sweepSpools(fileDeps), report('spool sweeper')),
    startLoop(3_600_000, () => sweepFiles(fileDeps), report('file sweeper')),
  ];
}

/** An upload that is alive writes, or is cut off after half a minute: what was not touched for longer was left by a crash. */
async function sweepSpools({ blobs, clock }: FileDeps): Promise<void> {
  await blobs.sweepSpools(clock.now() - 300_000);
}

/** Blobs whose record never came, because a crash came first. */
async function sweepFiles(deps: FileDeps): Promise<void> {
  const { adrift } = await checkFiles(deps);
  const count = await removeAdrift(deps, adrift);
  if (count > 0) deps.log.info('blobs without a record removed', { count });
}
