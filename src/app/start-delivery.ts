// Composition: starts the delivery thread and starts it again when it dies; the outbox loses nothing meanwhile.
import type { Worker } from 'node:worker_threads';
import type { Config } from '../config/config.ts';
import { threadUrl } from '../kernel/program-files.ts';
import { startThread } from '../kernel/start-thread.ts';
import type { Log } from '../kernel/telemetry.ts';
import type { Delivery } from '../messages/deliver.ts';
import type { Channel } from '../messages/outbox.ts';
import type { Store } from '../store/engine/store.ts';
import type { DeliveryCallbacks, ThreadCommand, ThreadConfig, ThreadReport } from './delivery-thread.ts';

const pauseMilliseconds = 1000;

export function startDeliveryThread(
  config: Config,
  secret: string,
  store: Store,
  talk: DeliveryCallbacks,
  log: Log,
): Delivery {
  let isStopping = false;
  let worker = start();
  let stopped: () => void = () => undefined;

  function start(): Worker {
    const storePort = store.share?.();
    const order: ThreadConfig = { config, secret, storePort };
    const made = startThread(threadUrl('delivery-thread'), {
      workerData: order,
      transferList: storePort === undefined ? [] : [storePort],
    });
    made.on('message', (all: ThreadReport[]) => {
      for (const news of all) {
        if ('event' in news) talk.report(news.event);
        else if ('webhook' in news) talk.reportWebhook(news.webhook);
        else talk.announce(news.announced, news.channel);
      }
    });
    made.on('error', (error: Error) => log.error('delivery stopped', { error }));
    made.on('exit', () => {
      stopped();
      if (!isStopping) setTimeout(restart, pauseMilliseconds).unref();
    });
    return made;
  }
  function restart(): void {
    if (!isStopping) worker = start();
  }
  const say = (word: ThreadCommand) => worker.postMessage(word);
  const waking = new Set<Channel | undefined>();
  const sayWake = () => {
    say({ wake: [...waking] });
    waking.clear();
  };
  return {
    // Once for all requests of one turn of the loop.
    wake: (channel) => {
      if (waking.size === 0) setImmediate(sayWake);
      waking.add(channel);
    },
    stop: async () => {
      isStopping = true;
      const ended = new Promise<void>((resolve) => {
        stopped = resolve;
      });
      say('stop');
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000).unref())]);
      await worker.terminate();
    },
  };
}
