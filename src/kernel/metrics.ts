// Every figure that the service tells about itself: what is counted, measured or read, and the words that its labels may hold.
import { failureCodes } from './failure.ts';

/** A closed list of words, or where the words come from: the route table, HTTP, the purposes, the sweeper. Never from a caller. */
type Words = readonly string[] | 'routes' | 'methods' | 'statuses' | 'purposes' | 'sweepTargets';

type Figure = { readonly help: string; readonly labels: Readonly<Record<string, Words>> };

export const counters = {
  failures: { help: 'Failed answers by route and code', labels: { route: 'routes', code: failureCodes } },
  limits_struck: {
    help: 'Refusals by a limit, by its name',
    labels: {
      limit: [
        'requests-per-ip',
        'sends-per-ip',
        'sends-per-recipient',
        'resend',
        'attempts',
        'attempts-per-ip',
        'uploads-per-user',
        'file-quota',
        'sms-day',
        'sms-country',
        'sms-prefix',
        'sms-unused',
      ],
    },
  },
  codes_requested: {
    help: 'Codes asked for and granted; whether they were sent tells gatehouse_deliveries_total',
    labels: { purpose: ['phone-login', 'email-binding'] },
  },
  links_requested: { help: 'Login links asked for and granted, whether or not anybody owns the address', labels: {} },
  sign_ins: {
    help: 'Proved codes and links by what became of them; wrong codes are failures',
    labels: { method: ['sms', 'link'], outcome: ['new', 'known', 'lost', 'expired', 'closed', 'blocked'] },
  },
  emails_bound: {
    help: 'Proved binding codes by what became of them',
    labels: { outcome: ['bound', 'lost', 'taken', 'gone'] },
  },
  refreshes: {
    help: 'Well-signed refresh tokens by what became of them; repeated: again within the grace',
    labels: { outcome: ['rotated', 'repeated', 'reused', 'expired', 'ended', 'invalid'] },
  },
  sessions_ended: {
    help: 'Sessions ended over the interface, by reason',
    labels: { reason: ['logged out', 'revoked', 'reused', 'expired', 'evicted', 'account deleted'] },
  },
  captcha_checks: {
    help: 'Captcha tokens by verdict; a missing one is a failure',
    labels: { outcome: ['passed', 'refused', 'replayed', 'unavailable'] },
  },
  deliveries: {
    help: 'Tries to hand a message to a provider; outbox: what the service itself decided',
    labels: {
      channel: ['sms', 'mail'],
      provider: ['inbox', 'webhook', 'twilio', 'vonage', 'smtp', 'outbox'],
      outcome: ['accepted', 'refused', 'doubtful', 'hopeless', 'dropped', 'parked', 'failed'],
    },
  },
  webhooks: {
    help: 'Tries to tell an app of an event',
    labels: { outcome: ['delivered', 'failed', 'parked'] },
  },
  files_stored: { help: 'Files stored, by purpose', labels: { purpose: 'purposes' } },
  files_deleted: { help: 'Files deleted one by one over the interface', labels: {} },
  examiners_lost: {
    help: 'Threads that a file ended while they examined it: by its processor time, its memory, or a crash',
    labels: { loss: ['time', 'memory', 'crash'] },
  },
  file_bytes: { help: 'Bytes of files stored and answered', labels: { direction: ['in', 'out'] } },
  storage_refusals: {
    help: 'Requests that S3 refused or did not answer, each try by itself; the log says the code',
    labels: {
      act: ['keep', 'read', 'remove', 'list'],
      reason: ['denied', 'clock', 'missing', 'full', 'busy', 'fault', 'answer', 'connection', 'time-out', 'given up'],
    },
  },
  store_troubles: { help: 'Times the database could not be had', labels: {} },
  blobs_swept: {
    help: 'Blobs removed by the sweep; orphaned: never had a record or lost it, deleted: left behind when the storage was away',
    labels: { reason: ['orphaned', 'deleted'] },
  },
  swept_rows: { help: 'Rows removed because their time was over', labels: { table: 'sweepTargets' } },
} as const satisfies Record<string, Figure>;

export const histograms = {
  request_seconds: {
    help: 'Answered requests by route and status',
    labels: { method: 'methods', route: 'routes', status: 'statuses' },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  delivery_seconds: {
    help: 'From the wish for a message until a provider has taken it',
    labels: { channel: ['sms', 'mail'] },
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
  },
  webhook_seconds: {
    help: 'From a fact until an app has taken its event',
    labels: {},
    buckets: [0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3600, 43_200],
  },
  storage_seconds: {
    help: 'Calls to the storage of files; read: until it can be read from',
    labels: { act: ['keep', 'read', 'remove'] },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
} as const satisfies Record<string, Figure & { readonly buckets: readonly number[] }>;

/** What the store measures where it runs, maybe in another thread. */
export const storeHistograms = {
  store_batch_seconds: {
    help: 'Batches of calls to the database, their commit included',
    labels: {},
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  },
  store_batch_calls: {
    help: 'Calls that shared a batch',
    labels: {},
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
  },
} as const satisfies Record<string, Figure & { readonly buckets: readonly number[] }>;

/** Read when they are asked for; of several workers the greatest counts where all read the same, else their sum. */
export const gauges = {
  outbox_waiting: { help: 'Messages that wait for delivery', labels: {}, ofAll: 'max' },
  outbox_parked: { help: 'Messages that were given up in the last seven days', labels: {}, ofAll: 'max' },
  outbox_oldest_seconds: { help: 'Age of the oldest message that waits', labels: {}, ofAll: 'max' },
  webhooks_waiting: { help: 'Webhook events that wait for delivery', labels: {}, ofAll: 'max' },
  webhooks_parked: { help: 'Webhook events that were given up in the last seven days', labels: {}, ofAll: 'max' },
  webhooks_oldest_seconds: { help: 'Age of the oldest webhook event that waits', labels: {}, ofAll: 'max' },
  uploads_waiting: { help: 'Uploads that wait to be examined', labels: {}, ofAll: 'sum' },
  sms_today: { help: 'Text messages counted by the spending brake since midnight UTC', labels: {}, ofAll: 'max' },
  sms_day_limit: { help: 'SMS_DAILY_LIMIT; left out where it is off', labels: {}, ofAll: 'max' },
  blobs_without_record: { help: 'Blobs without a record, as the last whole sweep found', labels: {}, ofAll: 'max' },
  records_without_blob: { help: 'Records without their blob, as the last whole sweep found', labels: {}, ofAll: 'max' },
  sweep_stopped: {
    help: '1 while the sweep removes nothing, because too many blobs have no record',
    labels: {},
    ofAll: 'max',
  },
  store_connections: {
    help: 'Connections to PostgreSQL, and calls that wait for one',
    labels: { state: ['busy', 'idle', 'waiting'] },
    ofAll: 'sum',
  },
  workers: { help: 'Processes that serve', labels: {}, ofAll: 'sum' },
} as const satisfies Record<string, Figure & { readonly ofAll: 'sum' | 'max' }>;

export type CounterName = keyof typeof counters;
export type HistogramName = keyof typeof histograms;
export type GaugeName = keyof typeof gauges;

type LabelsIn<F extends Figure> = {
  readonly [L in keyof F['labels']]: F['labels'][L] extends readonly (infer Word)[] ? Word : string;
};

export type CounterLabels<N extends CounterName> = LabelsIn<(typeof counters)[N]>;
export type HistogramLabels<N extends HistogramName> = LabelsIn<(typeof histograms)[N]>;
export type StorageRefusal = CounterLabels<'storage_refusals'>;
export type LimitName = CounterLabels<'limits_struck'>['limit'];
