// The composition root: creates the adapters that the settings name and wires all parts together.
import { createCaptchaPrice } from '../abuse/captcha-price.ts';
import type { ReportRefusal } from '../adapters/s3/s3-outcome.ts';
import { createAppList } from '../apps/clients/app.ts';
import type { AuthDeps } from '../auth/deps.ts';
import { createRevocations } from '../auth/sessions/revocations.ts';
import { createKeyRing } from '../auth/tokens/key-ring.ts';
import { signingKeyPolicy } from '../auth/tokens/signing-key.ts';
import type { Config } from '../config/config.ts';
import { loadSecrets } from '../config/service-secret.ts';
import type { InstallationMismatch } from '../files/storage/installation.ts';
import { removeBytes } from '../files/sweeps/remove-bytes.ts';
import { createListener, type Listener } from '../http/server/connections/listener.ts';
import type { HttpServer } from '../http/server/server.ts';
import type { Clock } from '../kernel/clock.ts';
import { createSecrets } from '../kernel/crypto/secrets.ts';
import { createStartProgress, type StartProgress } from '../kernel/process/start-progress.ts';
import type { Log } from '../kernel/process/telemetry.ts';
import { createRateLimitedWarnings } from '../kernel/work/rate-limited-warnings.ts';
import type { AnnounceMessage } from '../messages/delivery/message-provider.ts';
import { createProviderBoard } from '../messages/delivery/provider-board.ts';
import type { OpenedStore } from '../store/open-store.ts';
import { createOperatorPorts, createPorts } from '../store/ports.ts';
import type { Store } from '../store/store.ts';
import { assembleFiles } from './assemble-files.ts';
import { assembleServer } from './assemble-server.ts';
import { authPolicies } from './auth-policies.ts';
import { chooseBlobs } from './choose-blobs.ts';
import { chooseCaptcha } from './choose-captcha.ts';
import { chooseLog } from './choose-log.ts';
import { nameSenders } from './choose-senders.ts';
import { followSecrets } from './follow-secrets.ts';
import { loadDocs, loadPages } from './load-pages.ts';
import { reportMetrics } from './metrics/cluster-metrics.ts';
import { countAnswers } from './metrics/count-answers.ts';
import { countCaptcha, countOutcomes, timeBlobs } from './metrics/count-outcomes.ts';
import { findTracer } from './metrics/global-tracer.ts';
import { createPrometheusMetrics, type PrometheusMetrics } from './metrics/prometheus.ts';
import { registerGauges } from './metrics/register-gauges.ts';
import { traceBlobs, traceStore } from './metrics/trace-calls.ts';
import { openServiceStore } from './open-service-store.ts';
import { reportDelivery } from './report-delivery.ts';
import { createWaitReporter, retryWhileAway } from './report-waiting.ts';
import { chooseTimes, type GivenTimes } from './service-times.ts';
import { startDeliveryHere, startDeliveryThread } from './start-delivery.ts';
import { startLoops } from './start-loops.ts';
import { watchDataDir } from './watch-data-dir.ts';
import { watchFiles } from './watch-files.ts';

export type Service = {
  readonly server: HttpServer;
  readonly store: Store;
  readonly log: Log;
  readonly metrics: PrometheusMetrics;
  /** After this call readiness is false, and every response closes its connection. */
  beginStop(): void;
  /** Gives the messages back that are not sent. Requests go on, and leave theirs in the outbox. */
  endDelivery(): Promise<void>;
  /** Ends the background work and closes the store. Close the server first. */
  end(): Promise<void>;
};

export type ServiceOptions = {
  /** Called for every message that is stored in the inbox. */
  readonly announce?: AnnounceMessage;
  /** Replaces the clock of the store in tests. */
  readonly clock?: Clock;
  /** Replaces the real times in tests. */
  readonly times?: GivenTimes;
  /** A store whose opening has already started. */
  readonly store?: Promise<OpenedStore>;
  /** Called if the storage belongs to another database and this is found only after the start. */
  readonly onMismatch?: (error: InstallationMismatch) => void;
  /** Receives requests. It may already be listening. */
  readonly front?: Listener;
  /** Records what the start is waiting for. */
  readonly progress?: StartProgress;
  /** Prints a message to the terminal during the start. */
  readonly say?: (text: string) => void;
};

export async function createService(
  config: Config,
  { announce = () => undefined, clock: givenClock, store: opening, ...given }: ServiceOptions = {},
): Promise<Service> {
  const { say = () => undefined, onMismatch = () => undefined } = given;
  const times = chooseTimes(given.times);
  const { front = createListener(config.publicUrl, times.server), progress = createStartProgress() } = given;
  const log = chooseLog(config);
  const metrics = createPrometheusMetrics();
  if (config.listen.workers > 1) reportMetrics(metrics.dump);
  const pages = loadPages();
  pages.catch(() => undefined);
  const docs = loadDocs().catch(({ message }: Error) => {
    log.warn('there is no documentation at /docs', { reason: message });
    return undefined;
  });
  const tracer = findTracer();
  progress.waitFor('the database');
  const opened = await (opening ?? openServiceStore(config));
  const store = traceStore(opened, tracer);
  let isStarting = true;
  let trouble: Error | undefined;
  store.watch((error) => {
    metrics.count('store_troubles', {});
    trouble = error;
    if (!isStarting) log.warn('store trouble', { error });
  });
  const onWait = createWaitReporter(config, progress, log, say);
  const onStep = (what: string) => progress.waitFor(what);
  const applied = await store.migrations.up({ onWait, onStep });
  for (const name of applied) log.info('migrated', { migration: name });
  const whenReachable = <T>(work: () => Promise<T>) => retryWhileAway(work, (error) => onWait(trouble ?? error));
  const ports = countOutcomes(createPorts(store), metrics);
  const clock = givenClock ?? store.clock;
  const warnOfStorage = createRateLimitedWarnings(log, 10_000);
  const reportRefusal: ReportRefusal = ({ act, reason, detail }) => {
    metrics.count('storage_refusals', { act, reason });
    warnOfStorage(`${act} ${reason}`, 'storage refused', { act, reason, detail });
  };
  const blobs = timeBlobs(traceBlobs(await chooseBlobs(config, reportRefusal), tracer), metrics);
  const files = await assembleFiles(config, {
    ports,
    blobs,
    clock,
    times: times.upload,
    letArrive: front.letArrive,
    metrics,
    log,
  });
  const fileDeps = files.deps;
  progress.waitFor('the storage of files');
  // This comes before any write, so that a database that was configured by mistake stays unchanged.
  const fileWatch = await whenReachable(() =>
    watchFiles({ ...fileDeps, sweeps: ports.sweeps, installations: ports.installations }, metrics, times.fileWatch),
  ).catch(async (error) => {
    await Promise.all([store.close(), metrics.close()]);
    throw error;
  });
  if (fileWatch.isSettled) await store.cluster?.prove();
  const { secret, previousSecret } = loadSecrets(config);
  const secrets = createSecrets(secret, previousSecret);
  log.info('secrets', { current: secrets.currentId, accepted: secrets.ids.join(' ') });
  const accessTokenLifeSeconds = config.accessTokenLifeSeconds;
  const keyRing = createKeyRing({
    store: ports.signingKeys,
    secrets,
    clock,
    policy: signingKeyPolicy,
    accessTokenLifeSeconds,
  });
  const endFollowing = followSecrets(config, secrets, { secret, previousSecret }, log);
  progress.waitFor('the signing keys');
  await whenReachable(keyRing.refresh);
  const revocations = createRevocations(ports.sessions, clock, accessTokenLifeSeconds);
  await whenReachable(revocations.follow);
  isStarting = false;

  const context = createOperatorPorts(store);
  const providers = createProviderBoard(nameSenders(config));
  const callbacks = reportDelivery({ metrics, log, announce, providers });
  // An injected clock cannot be shared with a thread.
  const delivery =
    givenClock === undefined
      ? startDeliveryThread({ ...config, previousSecret }, secret, store, callbacks, log, times)
      : await startDeliveryHere({ ...config, previousSecret }, secret, store, clock, callbacks, times);

  const captchaPrice = createCaptchaPrice({ limits: context.limits, brake: config.brake, clock });
  const captcha = await chooseCaptcha(config, { secrets, clock, price: captchaPrice.current });
  const deps: AuthDeps = {
    ...ports,
    ...authPolicies(config),
    clock,
    secrets,
    keyRing,
    revocations,
    captcha: countCaptcha(captcha, metrics),
    removeBytes: async (ids, deletedAt) => {
      const left = await removeBytes(fileDeps, ids, deletedAt);
      if (left.length > 0)
        log.warn('the storage is slow or away: bytes of what was deleted go later', { count: left.length });
    },
    holdMessage: delivery.hold,
    wakeDelivery: delivery.wake,
  };
  let isStopping = false;
  const checkDataDir = watchDataDir(config);
  progress.waitFor('the pages');
  const { element, problemStyle, ...built } = await pages;
  const server = assembleServer(config, {
    front,
    auth: deps,
    files: fileDeps,
    apps: { ...deps, apps: createAppList(config.apps), appStore: ports.appStore },
    backend: { ...deps, ...fileDeps, ...context, backendUsers: ports.backendUsers, appStore: ports.appStore },
    inbox: ports.inbox,
    pages: built,
    docs: await docs,
    element,
    problemStyle,
    log,
    onAnswered: countAnswers(metrics),
    isStopping: () => isStopping,
    askStore: async () => {
      await Promise.all([store.ping(), checkDataDir()]);
    },
    times: times.server,
  });
  const loops = startLoops(config, store, times.loops, {
    auth: deps,
    captchaPrice,
    fileDeps,
    fileWatch,
    webhooks: ports.webhooks,
    providers,
    aloneSince: opened.aloneSince,
    onMismatch,
    log,
    metrics,
  });
  registerGauges(metrics, config, store, ports, clock, providers);
  return {
    server,
    store,
    log,
    metrics,
    beginStop: () => {
      isStopping = true;
    },
    endDelivery: delivery.stop,
    end: async () => {
      endFollowing();
      await Promise.all([...loops.map((loop) => loop.stop()), delivery.stop(), files.stop()]);
      await Promise.all([store.close(), metrics.close()]);
    },
  };
}
