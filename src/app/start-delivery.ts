// Composition: starts the delivery thread and restarts it when it dies. The outbox keeps all messages in the meantime.
import type { Worker } from 'node:worker_threads';
import type { Config } from '../config/config.ts';
import { threadUrl } from '../kernel/program-files.ts';
import { startThread } from '../kernel/start-thread.ts';
import type { Log } from '../kernel/telemetry.ts';
import type { Delivery } from '../messages/deliver.ts';
import type { Channel } from '../messages/outbox.ts';
import type { Store } from '../store/store.ts';
import type { DeliveryCallbacks, ThreadCommand, ThreadConfig, ThreadReport, WorkerTimes } from './delivery-thread.ts';

const pauseMilliseconds = 1000;

export function startDeliveryThread(
  config: Config,
  secret: string,
  store: Store,
  callbacks: DeliveryCallbacks,
  log: Log,
  times: WorkerTimes,
): Delivery {
  let isStopping = false;
  let worker = start();
  let stopped: () => void = () => undefined;

  function start(): Worker {
    const storePort = store.share?.();
    const thread: ThreadConfig = { config, secret, times, storePort };
    const started = startThread(threadUrl('delivery-thread'), {
      workerData: thread,
      transferList: storePort === undefined ? [] : [storePort],
    });
    started.on('message', (reports: ThreadReport[]) => {
      for (const report of reports) {
        if ('event' in report) callbacks.report(report.event);
        else if ('webhook' in report) callbacks.reportWebhook(report.webhook);
        else callbacks.announce(report.announced, report.channel);
      }
    });
    started.on('error', (error: Error) => log.error('delivery stopped', { error }));
    started.on('exit', () => {
      stopped();
      if (!isStopping) setTimeout(restart, pauseMilliseconds).unref();
    });
    return started;
  }
  function restart(): void {
    if (!isStopping) worker = start();
  }
  const send = (command: ThreadCommand) => worker.postMessage(command);
  const waking = new Set<Channel | undefined>();
  const sendWake = () => {
    send({ wake: [...waking] });
    waking.clear();
  };
  return {
    // All requests in one turn of the event loop share one message.
    wake: (channel) => {
      if (waking.size === 0) setImmediate(sendWake);
      waking.add(channel);
    },
    stop: async () => {
      isStopping = true;
      const ended = new Promise<void>((resolve) => {
        stopped = resolve;
      });
      send('stop');
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000).unref())]);
      await worker.terminate();
    },
  };
}
