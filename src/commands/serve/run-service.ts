// Runs the service in this process: opens the port, starts the service and, on SIGTERM or SIGINT, stops it without failing a running request.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import type { InstallationMismatch } from '../../files/storage/installation.ts';
import { createProblemPages, type ProblemPages } from '../../http/pages/problem-page.ts';
import { createStartingListener, type StartingListener } from '../../http/server/connections/starting-listener.ts';
import { createStartProgress, type StartProgress } from '../../kernel/process/start-progress.ts';
import type { Piece } from '../../kernel/text/terminal-style.ts';
import type { Channel } from '../../messages/channel.ts';
import type { AnnounceMessage } from '../../messages/delivery/message-provider.ts';
import { openServiceStore } from '../../service/open-service-store.ts';
import type { Service } from '../../service/service.ts';
import { claimDataDir } from '../claim-data-dir.ts';
import { tell } from '../terminal.ts';
import { mismatchExitCode, writeMismatch } from '../write-mismatch.ts';
import { styleBanner, writeBanner } from './banner.ts';
import { writeLanCode } from './lan.ts';
import { listenOn, serveMetrics } from './listen.ts';
import { startError } from './start-error.ts';

/** Clients on open connections have this long to make a last request and learn that the connection closes. */
const lastCallMilliseconds = 1000;
/** How long messages wait for the last requests. A send may take four more seconds. */
const lastRequestMilliseconds = 2500;
/** After STOP_WAIT, so that clients that are still sending read their answer. */
const lastAnswerMilliseconds = 3000;
/** From the last answers to the end of the process: messages that are being sent, and the store. */
const lastStepsMilliseconds = 5500;
/** A shell and npm may both forward a signal. A second one after this time is meant. */
const sameSignalMilliseconds = 1000;
/** A slow start is reported after these times. The last one repeats. */
const slowStartSeconds = [10, 20, 30, 60];

/** When the port opens: early, so that probes get their answers while the service starts, or when it is ready. */
export type Opens = 'early' | 'ready';

/** `isLan`: the terminal shows the address of the service as a QR code. */
export async function runService(config: Config, opens: Opens, isLan: boolean): Promise<void> {
  // A message that cannot be written, on a full disk or to a closed terminal, must not end the service.
  process.stderr.on('error', () => undefined);
  const progress = createStartProgress();
  let problemPages: ProblemPages | undefined;
  const front = createStartingListener(config.publicUrl, progress.describe, undefined, () => problemPages);
  let service: Service | undefined;
  const waitMilliseconds = config.stopWaitSeconds * 1000;
  const isStopping = stopOnSignal((hurried) =>
    service === undefined ? stopStarting(front) : stopGracefully(service, 0, waitMilliseconds, hurried),
  );
  if (opens === 'early') await listenOn(front.server, config);
  claimDataDir(config);
  const endTelling = tellSlowStart(progress);
  // The store starts in its own thread while this one loads the rest.
  const store = openServiceStore(config);
  store.catch(() => undefined);
  const [{ createService }, { loadPages }] = await Promise.all([
    import('../../service/service.ts'),
    import('../../service/load-pages.ts'),
  ]);
  // Without them the start fails a moment later, and says why.
  const pages = loadPages();
  void pages.then(
    ({ problemStyle }) => {
      // No address serves the logo before the service is ready.
      problemPages = createProblemPages({ ...config.brand, logo: null }, problemStyle);
    },
    () => undefined,
  );
  const stopped = Promise.withResolvers<InstallationMismatch>();
  const options = { announce, store, front, progress, say, onMismatch: stopped.resolve };
  const started = await createService(config, options).catch((error: Error) => {
    throw startError(config, error);
  });
  await warnOfTexts(config, started);
  // A process that has to stop while it starts opens no port.
  if (isStopping()) return;
  service = started;
  clearTimeout(endTelling());
  front.open();
  if (opens === 'ready') await listenOn(front.server, config);
  const metrics = await serveMetrics(config, service);
  tell(...styleBanner(writeBanner(config, Math.round(performance.now()), metrics)));
  if (isLan && process.stderr.isTTY) tell(...(await writeLanCode(config.publicUrl)));
  void stopped.promise.then((mismatch) => {
    say(`Gatehouse stops. ${writeMismatch(config, mismatch)}`);
    return stopGracefully(started, mismatchExitCode, waitMilliseconds);
  });
}

function say(text: string): void {
  tell(`${text}\n`);
}

/**
 * `hurried` resolves with a second signal: the stop then waits for no more requests. The result tells whether a signal has arrived.
 */
function stopOnSignal(stop: (hurried: Promise<void>) => Promise<void>): () => boolean {
  let since: number | undefined;
  const { promise: hurried, resolve: hurry } = Promise.withResolvers<void>();
  const begin = () => {
    const now = performance.now();
    if (since !== undefined) {
      if (now - since >= sameSignalMilliseconds) hurry();
      return;
    }
    since = now;
    void stop(hurried).then(() => process.exit(0));
  };
  process.on('SIGTERM', begin);
  process.on('SIGINT', begin);
  return () => since !== undefined;
}

/** During the start there are only waiting requests. */
async function stopStarting(front: StartingListener): Promise<void> {
  front.stop();
  await sleep(200);
}

/** Returns the timer of the next report. */
function tellSlowStart(progress: StartProgress): () => NodeJS.Timeout {
  let timer: NodeJS.Timeout;
  const repeat = (round: number) => {
    const seconds = slowStartSeconds[Math.min(round, slowStartSeconds.length - 1)] ?? 60;
    timer = setTimeout(() => {
      say(progress.describe());
      repeat(round + 1);
    }, seconds * 1000);
    timer.unref();
  };
  repeat(0);
  return () => timer;
}

let announced: Piece[] = [];

/** Messages that arrive together are written together. */
const announce: AnnounceMessage = (message, channel) => {
  if (announced.length === 0) setImmediate(writeAnnounced);
  const { name, lineOf } = announcements[channel];
  announced.push(`  ${name} to ${message.to}: `, ...markCode(lineOf(message)), '\n');
};

type Announced = Parameters<AnnounceMessage>[0];

const announcements: Readonly<Record<Channel, { name: string; lineOf(message: Announced): string }>> = {
  sms: { name: 'SMS', lineOf: ({ text }) => text.split('\n', 1)[0] ?? '' },
  mail: { name: 'Mail', lineOf: ({ subject = '' }) => subject },
};

/** The code is what the developer looks for. */
function markCode(line: string): Piece[] {
  const [before = '', code = '', after = ''] = line.split(/(?<!\d)(\d{6})(?!\d)/, 3);
  return code === '' ? [line] : [before, { text: code, style: 'code' }, after];
}

function writeAnnounced(): void {
  tell(...announced);
  announced = [];
}

async function stopGracefully(
  service: Service,
  exitCode: number,
  waitMilliseconds: number,
  hurried: Promise<void> = new Promise(() => undefined),
): Promise<never> {
  service.log.info('stopping');
  service.beginStop();
  const longest = waitMilliseconds + lastAnswerMilliseconds + lastStepsMilliseconds;
  setTimeout(() => process.exit(exitCode), longest).unref();
  const until = performance.now() + waitMilliseconds;
  const passed = (milliseconds: number) => Promise.race([hurried, sleep(milliseconds)]);
  // Readiness is false, but the port is still open: load balancers that watch readiness have time to use another node.
  await passed(Math.min(lastCallMilliseconds, waitMilliseconds));
  const closed = service.server.close();
  // A slow upload may last until the end, and must not keep messages from the other nodes.
  await Promise.race([closed, passed(Math.min(lastRequestMilliseconds, waitMilliseconds))]);
  const delivered = service.endDelivery();
  await Promise.race([closed, passed(Math.max(0, until - performance.now()))]);
  service.server.endRequests();
  await Promise.race([closed, sleep(lastAnswerMilliseconds)]);
  await delivered;
  await service.end();
  process.exit(exitCode);
}

async function warnOfTexts({ brand, publicUrl }: Config, { log }: Service): Promise<void> {
  const { checkSmsTexts } = await import('../../messages/texts/sms-text.ts');
  const { isFit, fallbacks } = checkSmsTexts(brand.name, new URL(publicUrl).hostname, brand.texts);
  if (!isFit) log.warn('an SMS does not fit one segment', { cure: 'shorten BRAND_NAME, or the name in BRAND_FILE' });
  else if (fallbacks.length > 0)
    log.info('SMS in these languages would not fit one segment and are sent in English', {
      languages: fallbacks.join(' '),
    });
}
