// The serve command: starts the service and, on SIGTERM or SIGINT, stops it without failing a request under way.
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../adapters/sql/open-store.ts';
import type { App } from '../app.ts';
import type { Announce } from '../choose-senders.ts';
import type { Config } from '../config/config.ts';
import { writeBanner } from './banner.ts';
import { listen } from './listen.ts';
import { tell } from './terminal.ts';

/** Clients on open connections get this long to make a last request and be told to close. */
const lastCallMilliseconds = 1000;
const longestStopMilliseconds = 8000;

export async function serve(config: Config): Promise<void> {
  // Words for people that cannot be written, on a full disk or to a terminal that has gone, are no reason to end.
  process.stderr.on('error', () => undefined);
  // The store comes up in a thread of its own while this one loads the rest.
  const store = openStore(config);
  store.catch(() => undefined);
  const { createApp } = await import('../app.ts');
  const app = await createApp(config, { announce, store }).catch((error: Error) => giveUp(config, error));
  await warnOfTexts(config, app);
  await listen(config, app);
  tell(writeBanner(config, Math.round(performance.now())));
  const stop = () => void stopGracefully(app).then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function giveUp({ dataDir, databaseUrl }: Config, error: Error): never {
  const place = databaseUrl === undefined ? `the data folder ${dataDir}` : 'the database of DATABASE_URL';
  tell(`Gatehouse cannot use ${place}: ${error.message}\n`);
  process.exit(1);
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

async function stopGracefully(app: App): Promise<void> {
  app.log.info('stopping');
  app.beginStop();
  setTimeout(() => process.exit(0), longestStopMilliseconds).unref();
  // Readiness is false, the door still open: whoever watches readiness has time to look elsewhere.
  await sleep(lastCallMilliseconds);
  await app.server.close();
  await app.end();
}

async function warnOfTexts({ brandName, publicUrl }: Config, { log }: App): Promise<void> {
  const { checkSmsTexts } = await import('../delivery/sms-text.ts');
  const { isFit, fallbacks } = checkSmsTexts(brandName, new URL(publicUrl).hostname);
  if (!isFit) log.warn('an SMS does not fit one segment', { cure: 'shorten BRAND_NAME' });
  else if (fallbacks.length > 0)
    log.info('SMS in these languages would not fit one segment and are sent in English', {
      languages: fallbacks.join(' '),
    });
}
