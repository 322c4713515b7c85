// The delivery thread: writing and sending messages must not slow down requests or leak through their timing.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { parsePhoneNumber } from '../auth/identity/phone-number.ts';
import { notMePath } from '../auth/notices/notice.ts';
import { writeMessage } from '../auth/write-message.ts';
import { startWebhooks, type WebhookReport } from '../backend/webhooks/deliver-webhooks.ts';
import { lookOf } from '../brand/brand.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../kernel/clock.ts';
import { markRecipient } from '../kernel/crypto/recipient-mark.ts';
import { createSecrets } from '../kernel/crypto/secrets.ts';
import { phoneTypes } from '../kernel/text/phone-types.ts';
import { type Channel, channels, perChannel } from '../messages/channel.ts';
import type { ProviderChange } from '../messages/delivery/channel-providers.ts';
import { type DeliveryParts, type DeliveryWorker, startDelivery } from '../messages/delivery/deliver.ts';
import type { DeliveryEvent } from '../messages/delivery/deliver-message.ts';
import type { HandedOver } from '../messages/delivery/hand-over.ts';
import type { OutgoingMessage } from '../messages/delivery/sender.ts';
import { deliveryConnections } from '../store/open-store.ts';
import { createPorts } from '../store/ports.ts';
import type { Store } from '../store/store.ts';
import { chooseSenders } from './choose-senders.ts';
import { chooseWebhooks } from './choose-webhooks.ts';
import { followSecrets } from './follow-secrets.ts';
import { findTracer } from './metrics/global-tracer.ts';
import { traceStore } from './metrics/trace-calls.ts';
import type { ServiceTimes } from './service-times.ts';

/** The times of the workers that send messages and events. */
export type WorkerTimes = Pick<ServiceTimes, 'delivery' | 'webhooks'>;

export type ThreadConfig = {
  readonly config: Config;
  readonly secret: string;
  readonly times: WorkerTimes;
  /** Undefined on PostgreSQL: the thread opens its own connections. */
  readonly storePort: MessagePort | undefined;
};

/** Sent by the thread: a list of them as JSON, which costs half as much as a clone. */
export type ThreadReport =
  | { readonly event: DeliveryEvent }
  | { readonly webhook: WebhookReport }
  | { readonly announced: OutgoingMessage; readonly channel: Channel }
  | { readonly ended: number; readonly channel: Channel }
  | { readonly empty: Channel }
  | { readonly shut: Channel }
  | { readonly provider: ProviderChange };

/** Sent to the thread, as JSON. */
export type ThreadCommand = HandedOver | 'stop';

if (parentPort !== null) await serve(parentPort, workerData as ThreadConfig);

async function serve(port: MessagePort, thread: ThreadConfig): Promise<void> {
  let pending: ThreadReport[] = [];
  let isFlushDue = false;
  const ended: Record<Channel, number> = perChannel(() => 0);
  // All reports of one turn of the event loop go out as one message.
  const flush = () => {
    isFlushDue = false;
    for (const channel of channels) {
      if (ended[channel] > 0) pending.push({ ended: ended[channel], channel });
      ended[channel] = 0;
    }
    port.postMessage(JSON.stringify(pending));
    pending = [];
  };
  const flushSoon = () => {
    if (!isFlushDue) setImmediate(flush);
    isFlushDue = true;
  };
  const send = (report: ThreadReport) => {
    pending.push(report);
    flushSoon();
  };
  const store = traceStore(await connect(thread), findTracer());
  const callbacks: DeliveryCallbacks = {
    report: (event) => send({ event }),
    reportWebhook: (webhook) => send({ webhook }),
    announce: (announced, channel) => send({ announced, channel }),
    onEnd: (channel, count) => {
      ended[channel] += count;
      flushSoon();
    },
    onEmpty: (channel) => send({ empty: channel }),
    onShut: (channel) => send({ shut: channel }),
    onProvider: (provider) => send({ provider }),
  };
  const { config, secret, times } = thread;
  const running = await runDelivery(config, secret, store, store.clock, callbacks, times);
  port.on('message', async (text: string) => {
    const command = JSON.parse(text) as ThreadCommand;
    if (command !== 'stop') {
      running.deliver(command.deliver);
      for (const channel of command.wake) running.wake(channel);
      return;
    }
    await running.stop();
    await store.close();
    flush();
    port.close();
  });
}

async function connect({ config, storePort }: ThreadConfig): Promise<Store> {
  const ignore = () => undefined;
  if (storePort !== undefined) return (await import('../store/sqlite/sqlite.ts')).connectSqliteStore(storePort, ignore);
  const { openPostgresStore } = await import('../store/postgres/postgres.ts');
  const { readMarkOf } = await import('./choose-blobs.ts');
  const { databaseUrl, databaseUrlFile, dataDir } = config;
  return openPostgresStore(
    { url: databaseUrl ?? '', urlFile: databaseUrlFile, dataDir, isService: true, readMark: readMarkOf(config) },
    ignore,
    config.webhooks.endpoints.map(({ id }) => id),
    deliveryConnections(config.databasePool),
  );
}

export type DeliveryCallbacks = Pick<DeliveryParts, 'onEnd' | 'onEmpty' | 'onShut' | 'onProvider'> & {
  readonly report: (event: DeliveryEvent) => void;
  readonly reportWebhook: (news: WebhookReport) => void;
  readonly announce: (message: OutgoingMessage, channel: Channel) => void;
};

/** Of a number that was accepted before. The types that are served may have changed since. */
function countryOf(phone: string): string | undefined {
  try {
    return parsePhoneNumber(phone, phoneTypes).country;
  } catch {
    return undefined;
  }
}

/** Starts delivery on the current thread. */
export async function runDelivery(
  config: Config,
  secret: string,
  store: Pick<Store, 'call'>,
  clock: Clock,
  { report, reportWebhook, announce, ...signals }: DeliveryCallbacks,
  times: WorkerTimes,
): Promise<DeliveryWorker> {
  const ports = createPorts(store);
  const secrets = createSecrets(secret, config.previousSecret);
  const endFollowing = followSecrets(config, secrets, { secret, previousSecret: config.previousSecret });
  const senders = await chooseSenders(config, announce);
  const { links, bindings, notices, outbox } = ports;
  const host = new URL(config.publicUrl).hostname;
  const writing = {
    clock,
    secrets,
    links,
    bindings,
    notices,
    host,
    brand: config.brand.name,
    look: lookOf(config.brand),
    linkLifeSeconds: config.linkLifeSeconds,
    loginLinkUrl: config.loginLinkUrl,
    notMeUrl: `${config.publicUrl}${notMePath}`,
    testRecipients: config.testRecipients,
    brake: config.brake,
    phoneTypes: config.phoneTypes,
  };
  const delivery = startDelivery(
    {
      outbox,
      clock,
      senders,
      write: (message) => writeMessage(writing, message),
      report,
      mark: (recipient) => markRecipient(secrets, recipient),
      countryOf,
      ...signals,
    },
    times.delivery,
  );
  const endpoints = await chooseWebhooks(config.webhooks);
  const webhooks = startWebhooks({ webhooks: ports.webhooks, clock, endpoints, report: reportWebhook }, times.webhooks);
  return {
    ...delivery,
    stop: async () => {
      endFollowing();
      await Promise.all([delivery.stop(), webhooks.stop()]);
      await Promise.all(Object.values(senders).flatMap((all) => all.map(async (sender) => sender.close?.())));
    },
  };
}
