// The times of a running service, by part. Tests pass shorter ones; they are no settings.

import { type WebhookTimes, webhookTimes } from '../backend/webhooks/deliver-webhooks.ts';
import { type UploadTimes, uploadTimes } from '../files/uploads/upload-times.ts';
import { type ServerTimes, serverTimes } from '../http/server/server-times.ts';
import { type DeliveryTimes, deliveryTimes } from '../messages/delivery/deliver.ts';
import { type LoopTimes, loopTimes } from './start-loops.ts';
import { type FileWatchTimes, fileWatchTimes } from './watch-files.ts';

export type ServiceTimes = {
  readonly upload: UploadTimes;
  readonly server: ServerTimes;
  readonly delivery: DeliveryTimes;
  readonly webhooks: WebhookTimes;
  readonly loops: LoopTimes;
  readonly fileWatch: FileWatchTimes;
};

export type GivenTimes = { readonly [Part in keyof ServiceTimes]?: Partial<ServiceTimes[Part]> };

/** The real times, except those that are given. */
export function chooseTimes(given: GivenTimes = {}): ServiceTimes {
  return {
    upload: { ...uploadTimes, ...given.upload },
    server: { ...serverTimes, ...given.server },
    delivery: { ...deliveryTimes, ...given.delivery },
    webhooks: { ...webhookTimes, ...given.webhooks },
    loops: { ...loopTimes, ...given.loops },
    fileWatch: { ...fileWatchTimes, ...given.fileWatch },
  };
}
