// The serve command: opens the port, starts the service behind it and, on SIGTERM or SIGINT, stops it without failing a request under way.
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app/app.ts';
import type { Announce } from '../app/choose-senders.ts';
import type { Config } from '../config/config.ts';
import type { InstallationMismatch } from '../files/installation.ts';
import { createStartingFront, type StartingFront } from '../http/server/starting-front.ts';
import { createStartProgress, type StartProgress } from '../kernel/start-progress.ts';
import { openStore } from '../store/open-store.ts';
import { writeBanner } from './banner.ts';
import { claimDataDir } from './claim-data-dir.ts';
import { giveUp } from './give-up.ts';
import { listenOn, serveMetrics } from './listen.ts';
import { tell } from './terminal.ts';
import { mismatchExitCode, writeMismatch } from './write-mismatch.ts';

/** Clients on open connections get this long to make a last request and be told to close. */
const lastCallMilliseconds = 1000;
const longestStopMilliseconds = 8000;
/** A start that lasts is told so often; the last repeats. */
const slowStartSeconds = [10, 20, 30, 60];

/** When the port opens: early, so that probes get their answers while the service starts, or when it is ready. */
export type Opens = 'early' | 'ready';

export async function serve(config: Config, opens: Opens): Promise<void> {
  // Words for people that cannot be written, on a full disk or to a terminal that has gone, are no reason to end.
  process.stderr.on('error', () => undefined);
  const progress = createStartProgress();
  const front = createStartingFront(config.publicUrl, progress.describe);
  let app: App | undefined;
  const isStopping = stopOnSignal(() => (app === undefined ? stopStarting(front) : stopGracefully(app, 0)));
  if (opens === 'early') await listenOn(front.server, config);
  claimDataDir(config);
  const told = tellSlowStart(progress);
  // The store comes up in a thread of its own while this one loads the rest.
  const store = openStore(config);
  store.catch(() => undefined);
  const { createApp } = await import('../app/app.ts');
  const stopped = Promise.withResolvers<InstallationMismatch>();
  const options = { announce, store, front, progress, say, onMismatch: stopped.resolve };
  const started = await createApp(config, options).catch((error: Error) => giveUp(config, error));
  await warnOfTexts(config, started);
  await started.server.ready();
  // Whoever is told to stop on its way up opens no port that it would close at once.
  if (isStopping()) return;
  app = started;
  clearTimeout(told());
  front.open();
  if (opens === 'ready') await listenOn(front.server, config);
  const metrics = await serveMetrics(config, app);
  tell(writeBanner(config, Math.round(performance.now()), metrics));
  void stopped.promise.then((mismatch) => {
    say(`Gatehouse stops. ${writeMismatch(config, mismatch)}`);
    return stopGracefully(started, mismatchExitCode);
  });
}

function say(text: string): void {
  tell(`${text}\n`);
}

/** A shell and npm may both pass a signal on: the second one changes nothing. Gives whether one has come. */
function stopOnSignal(stop: () => Promise<void>): () => boolean {
  let isStopping = false;
  const begin = () => {
    if (isStopping) return;
    isStopping = true;
    void stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', begin);
  process.on('SIGINT', begin);
  return () => isStopping;
}

/** Nothing is under way yet but requests that wait. */
async function stopStarting(front: StartingFront): Promise<void> {
  front.stop();
  await sleep(200);
}

/** Gives the timer of the next word. */
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

let announced = '';

/** Messages that came together are written together. */
const announce: Announce = (message, channel) => {
  const [line = ''] = channel === 'sms' ? message.text.split('\n') : [message.subject ?? ''];
  if (announced === '') setImmediate(writeAnnounced);
  announced += `  ${channel === 'sms' ? 'SMS' : 'Mail'} to ${message.to}: ${line}\n`;
};

function writeAnnounced(): void {
  tell(announced);
  announced = '';
}

async function stopGracefully(app: App, exitCode: number): Promise<never> {
  app.log.info('stopping');
  app.beginStop();
  setTimeout(() => process.exit(exitCode), longestStopMilliseconds).unref();
  // Readiness is false, the door still open: whoever watches readiness has time to look elsewhere.
  await sleep(lastCallMilliseconds);
  await app.server.close();
  await app.end();
  process.exit(exitCode);
}

async function warnOfTexts({ brandName, publicUrl }: Config, { log }: App): Promise<void> {
  const { checkSmsTexts } = await import('../messages/sms-text.ts');
  const { isFit, fallbacks } = checkSmsTexts(brandName, new URL(publicUrl).hostname);
  if (!isFit) log.warn('an SMS does not fit one segment', { cure: 'shorten BRAND_NAME' });
  else if (fallbacks.length > 0)
    log.info('SMS in these languages would not fit one segment and are sent in English', {
      languages: fallbacks.join(' '),
    });
}
