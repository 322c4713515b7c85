// Composition: starts the delivery thread and restarts it when it dies. The outbox keeps all messages in the meantime.
import type { Worker } from 'node:worker_threads';
import type { Config } from '../config/config.ts';
import type { Clock } from '../kernel/clock.ts';
import { threadUrl } from '../kernel/process/program-files.ts';
import { startThread } from '../kernel/process/start-thread.ts';
import type { Log } from '../kernel/process/telemetry.ts';
import { withoutClient } from '../kernel/work/waiting-client.ts';
import { channels } from '../messages/channel.ts';
import { type DeliveryWorker, mostHeld } from '../messages/delivery/deliver.ts';
import { createHandOver } from '../messages/delivery/hand-over.ts';
import { createMessageHolds, type MessageHolds } from '../messages/delivery/message-holds.ts';
import type { Store } from '../store/store.ts';
import {
  type DeliveryCallbacks,
  runDelivery,
  type ThreadCommand,
  type ThreadConfig,
  type ThreadReport,
  type WorkerTimes,
} from './delivery-thread.ts';
import { findTracer } from './metrics/global-tracer.ts';

type Delivery = Pick<DeliveryWorker, 'wake' | 'stop'> & Pick<MessageHolds, 'hold'>;

/** What delivery reports to the service. */
export type DeliveryReports = Omit<DeliveryCallbacks, 'onEnd' | 'onEmpty' | 'onShut'> & {
  /** Its thread has ended, with all that it knew. */
  readonly onExit: () => void;
};

const pauseMilliseconds = 1000;

/** Delivers on the current thread. */
export async function startDeliveryHere(
  config: Config,
  secret: string,
  store: Pick<Store, 'call'>,
  clock: Clock,
  callbacks: DeliveryReports,
  times: WorkerTimes,
): Promise<Delivery> {
  const holds = createMessageHolds({
    leaseSeconds: times.delivery.leaseSeconds,
    most: mostHeld,
    // On this thread it would else end when the client leaves whose request began it.
    deliver: (message) => withoutClient(() => worker.deliver([message])),
    onFull: (channel) => withoutClient(() => worker.wake(channel)),
  });
  const all = { ...callbacks, onEnd: holds.end, onEmpty: holds.open, onShut: holds.shut };
  const worker = await runDelivery(config, secret, store, clock, all, times);
  return {
    hold: holds.hold,
    wake: (channel) => withoutClient(() => worker.wake(channel)),
    stop: once(async () => {
      holds.stop();
      await worker.stop();
    }),
  };
}

export function startDeliveryThread(
  config: Config,
  secret: string,
  store: Store,
  callbacks: DeliveryReports,
  log: Log,
  times: WorkerTimes,
): Delivery {
  let isStopping = false;
  let stopped: () => void = () => undefined;
  const handOver = createHandOver((handedOver) => send(handedOver));
  const holds = createMessageHolds({
    leaseSeconds: times.delivery.leaseSeconds,
    most: mostHeld,
    deliver: handOver.deliver,
    onFull: handOver.wake,
  });
  let worker = start();

  function start(): Worker {
    const storePort = store.share?.();
    const thread: ThreadConfig = { config, secret, times, storePort };
    const started = startThread(threadUrl('delivery-thread'), {
      workerData: thread,
      loadsImports: findTracer() !== undefined,
      transferList: storePort === undefined ? [] : [storePort],
    });
    started.on('message', (text: string) => {
      for (const report of JSON.parse(text) as ThreadReport[]) read(report);
    });
    started.on('error', (error: Error) => log.error('delivery stopped', { error }));
    started.on('exit', () => {
      // Claimed messages that were in its memory are claimed again when their leases end.
      holds.reset();
      callbacks.onExit();
      stopped();
      if (!isStopping) setTimeout(restart, pauseMilliseconds).unref();
    });
    return started;
  }
  function read(report: ThreadReport): void {
    if ('event' in report) callbacks.report(report.event);
    else if ('webhook' in report) callbacks.reportWebhook(report.webhook);
    else if ('announced' in report) callbacks.announce(report.announced, report.channel);
    else if ('provider' in report) callbacks.onProvider(report.provider);
    else if ('shut' in report) holds.shut(report.shut);
    else if ('ended' in report) holds.end(report.channel, report.ended);
    else holds.open(report.empty);
  }
  function restart(): void {
    if (!isStopping) worker = start();
  }
  function send(command: ThreadCommand): void {
    worker.postMessage(JSON.stringify(command));
  }
  return {
    hold: holds.hold,
    wake: (channel) => {
      for (const each of channel === undefined ? channels : [channel]) handOver.wake(each);
    },
    stop: once(async () => {
      isStopping = true;
      holds.stop();
      const ended = new Promise<void>((resolve) => {
        stopped = resolve;
      });
      handOver.flush();
      send('stop');
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000).unref())]);
      await worker.terminate();
    }),
  };
}

/** A second call waits for the first. */
function once(act: () => Promise<void>): () => Promise<void> {
  let acting: Promise<void> | undefined;
  return () => {
    acting ??= act();
    return acting;
  };
}
