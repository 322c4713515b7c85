// The table of gauges: their help texts, their labels and the values that each label may have.
import { channels } from '../../messages/channel.ts';
import type { Metric } from './metric.ts';

/** Read at every scrape. `ofAll` combines the workers: `max` if all read the same source, otherwise `sum`. */
export const gauges = {
  outbox_waiting: { help: 'Messages waiting for delivery', labels: {}, ofAll: 'max' },
  outbox_parked: {
    help: 'Messages parked after the last failed attempt, in the last seven days',
    labels: {},
    ofAll: 'max',
  },
  outbox_oldest_seconds: {
    help: 'Age of the oldest waiting message; notices that are tried for longer than codes do not count',
    labels: {},
    ofAll: 'max',
  },
  provider_left_out: {
    help: '1 while a provider is left out because it fails, hangs or asked to wait, otherwise 0',
    labels: { channel: channels, provider: 'providers' },
    ofAll: 'max',
  },
  provider_countries_left_out: {
    help: 'Number of countries for which alone a provider is left out',
    labels: { channel: channels, provider: 'providers' },
    ofAll: 'max',
  },
  webhooks_waiting: { help: 'Webhook events waiting for delivery', labels: {}, ofAll: 'max' },
  webhooks_parked: {
    help: 'Webhook events parked after the last failed attempt, in the last seven days',
    labels: {},
    ofAll: 'max',
  },
  webhooks_oldest_seconds: { help: 'Age of the oldest waiting webhook event', labels: {}, ofAll: 'max' },
  webhooks_full: {
    help: 'Webhook endpoints whose queue is full, so that new events are not queued for them',
    labels: {},
    ofAll: 'max',
  },
  uploads_waiting: { help: 'Uploads waiting for examination', labels: {}, ofAll: 'sum' },
  variants_waiting: { help: 'Variants of pictures waiting to be made', labels: {}, ofAll: 'sum' },
  sms_today: { help: 'Text messages counted by the spending brake since midnight UTC', labels: {}, ofAll: 'max' },
  sms_day_limit: { help: 'Value of SMS_DAILY_LIMIT; absent if the limit is off', labels: {}, ofAll: 'max' },
  blobs_without_record: {
    help: 'Blobs without a database record, found by the last complete sweep',
    labels: {},
    ofAll: 'max',
  },
  records_without_blob: {
    help: 'Database records without a blob, found by the last complete sweep',
    labels: {},
    ofAll: 'max',
  },
  sweep_stopped: {
    help: '1 while the sweep is stopped because too many blobs have no record, otherwise 0',
    labels: {},
    ofAll: 'max',
  },
  store_connections: {
    help: 'Connections to PostgreSQL by state; waiting: calls that wait for a connection',
    labels: { state: ['busy', 'idle', 'waiting'] },
    ofAll: 'sum',
  },
  database_timeline: {
    help: 'Timeline of the PostgreSQL server in use; absent with SQLite, or if no server may be used',
    labels: {},
    ofAll: 'max',
  },
  service_keys_ending: {
    help: 'Service keys that end within two weeks and have no newer key in use',
    labels: {},
    ofAll: 'max',
  },
  backup_age_seconds: {
    help: 'Seconds since the last backup create, or since the installation if there was none in 90 days',
    labels: {},
    ofAll: 'max',
  },
  journal_age_seconds: {
    help: 'Seconds since the last backup journal --append; absent if there was none',
    labels: {},
    ofAll: 'max',
  },
  workers: { help: 'Number of processes that serve requests', labels: {}, ofAll: 'sum' },
} as const satisfies Record<string, Metric & { readonly ofAll: 'sum' | 'max' }>;

export type GaugeName = keyof typeof gauges;
