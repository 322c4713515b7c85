// The table of all metrics: their help texts, their labels and the values that each label may have.
import { brakeRules } from '../../abuse/sms-brake.ts';
import type { Loss } from '../../adapters/examiner/thread-pool.ts';
import { refusalReasons, storageActs } from '../../adapters/s3/s3-outcome.ts';
import type { BindingOutcome } from '../../auth/email-binding.ts';
import { signInMethods } from '../../auth/session.ts';
import { listOf } from '../../kernel/closed-list.ts';
import { failureCodes, quotaNames } from '../../kernel/failure.ts';
import type { DeliveryEvent } from '../../messages/deliver.ts';
import { otpPurposes } from '../../messages/message-kinds.ts';
import { channels } from '../../messages/outbox.ts';
import { batchBuckets } from '../../store/engine/store-meter.ts';
import { sweepTargets } from '../../store/engine/sweep-targets.ts';
import type { WebhookNews } from '../../webhooks/deliver-webhooks.ts';
import { endLabels, type RefreshLabel, type SignInLabel } from './outcome-labels.ts';

/** A closed list of values, or their source: the route table, HTTP, the purposes, the providers. Never the input of a client. */
type Words = readonly string[] | 'routes' | 'methods' | 'statuses' | 'purposes' | 'providers';

type Metric = { readonly help: string; readonly labels: Readonly<Record<string, Words>> };

export const counters = {
  failures: { help: 'Failed requests by route and error code', labels: { route: 'routes', code: failureCodes } },
  limits_struck: {
    help: 'Requests refused by a limit, by the name of the limit',
    labels: {
      limit: [...quotaNames, 'attempts', 'file-quota', ...brakeRules.map((rule) => `sms-${rule}` as const)],
    },
  },
  codes_requested: {
    help: 'Accepted requests for a code; gatehouse_deliveries_total shows whether the code was sent',
    labels: { purpose: otpPurposes },
  },
  links_requested: {
    help: 'Accepted requests for a sign-in link, whether or not a user has the e-mail address',
    labels: {},
  },
  sign_ins: {
    help: 'Sign-ins with a correct code or link, by outcome; wrong codes count as failures',
    labels: {
      method: signInMethods,
      outcome: listOf<SignInLabel>({ new: true, known: true, lost: true, expired: true, closed: true, blocked: true }),
    },
  },
  emails_bound: {
    help: 'Correct codes for binding an e-mail address, by outcome',
    labels: {
      outcome: listOf<Exclude<BindingOutcome['kind'], 'refused'>>({ bound: true, lost: true, taken: true, gone: true }),
    },
  },
  refreshes: {
    help: 'Refresh tokens with a valid signature, by outcome; repeated: used again within REFRESH_TOKEN_GRACE',
    labels: {
      outcome: listOf<RefreshLabel>({
        rotated: true,
        repeated: true,
        reused: true,
        expired: true,
        ended: true,
        invalid: true,
      }),
    },
  },
  sessions_ended: {
    help: 'Sessions ended through the API, by reason',
    labels: { reason: [...new Set(Object.values(endLabels))] },
  },
  captcha_checks: {
    help: 'Checked captcha tokens by outcome; a missing token counts as a failure',
    labels: { outcome: ['passed', 'refused', 'replayed', 'unavailable'] },
  },
  deliveries: {
    help: 'Attempts to send a message, by provider and outcome; provider outbox: decided by the service itself',
    labels: {
      channel: channels,
      provider: 'providers',
      outcome: listOf<DeliveryEvent['outcome']>({
        accepted: true,
        refused: true,
        doubtful: true,
        hopeless: true,
        dropped: true,
        parked: true,
        failed: true,
      }),
    },
  },
  webhooks: {
    help: 'Attempts to deliver a webhook event, by outcome',
    labels: { outcome: listOf<WebhookNews['outcome']>({ delivered: true, failed: true, parked: true }) },
  },
  files_stored: { help: 'Files stored, by purpose', labels: { purpose: 'purposes' } },
  files_deleted: { help: 'Files deleted individually through the API', labels: {} },
  examiners_lost: {
    help: 'Examiner threads lost while they examined a file, by cause: CPU time, memory or a crash',
    labels: { loss: listOf<Loss>({ time: true, memory: true, crash: true }) },
  },
  file_bytes: { help: 'Bytes of files stored (in) and served (out)', labels: { direction: ['in', 'out'] } },
  storage_refusals: {
    help: 'Requests that S3 refused or did not answer; every retry counts; the log shows the error code',
    labels: {
      act: storageActs,
      reason: refusalReasons,
    },
  },
  store_troubles: { help: 'Errors because the database was unavailable', labels: {} },
  blobs_swept: {
    help: 'Blobs removed by the sweep; orphaned: without a database record; deleted: left over because the storage was unavailable',
    labels: { reason: ['orphaned', 'deleted'] },
  },
  swept_rows: { help: 'Expired rows removed from the database, by table', labels: { table: sweepTargets } },
} as const satisfies Record<string, Metric>;

export const histograms = {
  request_seconds: {
    help: 'Duration of requests by method, route and status',
    labels: { method: 'methods', route: 'routes', status: 'statuses' },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  delivery_seconds: {
    help: 'Time from the request for a message until a provider accepts it',
    labels: { channel: channels },
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
  },
  webhook_seconds: {
    help: 'Time from an event until an endpoint accepts it',
    labels: {},
    buckets: [0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3600, 43_200],
  },
  storage_seconds: {
    help: 'Duration of calls to the file storage; read: until the first byte is available',
    labels: { act: ['keep', 'read', 'remove'] },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
} as const satisfies Record<string, Metric & { readonly buckets: readonly number[] }>;

/** The store measures these on the thread where it runs. */
export const storeHistograms = {
  store_batch_seconds: {
    help: 'Duration of a batch of database calls, including the commit',
    labels: {},
    buckets: batchBuckets.seconds,
  },
  store_batch_calls: {
    help: 'Number of database calls in a batch',
    labels: {},
    buckets: batchBuckets.calls,
  },
} as const satisfies Record<string, Metric & { readonly buckets: readonly number[] }>;

/** Read at every scrape. `ofAll` combines the workers: `max` if all read the same source, otherwise `sum`. */
export const gauges = {
  outbox_waiting: { help: 'Messages waiting for delivery', labels: {}, ofAll: 'max' },
  outbox_parked: {
    help: 'Messages parked after the last failed attempt, in the last seven days',
    labels: {},
    ofAll: 'max',
  },
  outbox_oldest_seconds: { help: 'Age of the oldest waiting message', labels: {}, ofAll: 'max' },
  webhooks_waiting: { help: 'Webhook events waiting for delivery', labels: {}, ofAll: 'max' },
  webhooks_parked: {
    help: 'Webhook events parked after the last failed attempt, in the last seven days',
    labels: {},
    ofAll: 'max',
  },
  webhooks_oldest_seconds: { help: 'Age of the oldest waiting webhook event', labels: {}, ofAll: 'max' },
  uploads_waiting: { help: 'Uploads waiting for examination', labels: {}, ofAll: 'sum' },
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
  workers: { help: 'Number of processes that serve requests', labels: {}, ofAll: 'sum' },
} as const satisfies Record<string, Metric & { readonly ofAll: 'sum' | 'max' }>;

export type CounterName = keyof typeof counters;
export type HistogramName = keyof typeof histograms;
export type GaugeName = keyof typeof gauges;

type LabelsIn<F extends Metric> = {
  readonly [L in keyof F['labels']]: F['labels'][L] extends readonly (infer Word)[] ? Word : string;
};

export type CounterLabels<N extends CounterName> = LabelsIn<(typeof counters)[N]>;
export type HistogramLabels<N extends HistogramName> = LabelsIn<(typeof histograms)[N]>;
export type LimitLabel = CounterLabels<'limits_struck'>['limit'];

export type Metrics = {
  /** Records a finished request. `route` is the pattern, not the path. */
  request(answer: { method: string; route: string; status: number; seconds: number }): void;
  /** Increments a counter. Labels never contain user data. */
  count<N extends CounterName>(name: N, labels: CounterLabels<N>, by?: number): void;
  observe<N extends Exclude<HistogramName, 'request_seconds'>>(
    name: N,
    labels: HistogramLabels<N>,
    value: number,
  ): void;
};
