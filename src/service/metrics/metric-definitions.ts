// The table of counters and histograms: their help texts, their labels and the values that each label may have.
import { brakeRules } from '../../abuse/sms-brake.ts';
import type { Loss } from '../../adapters/examiner/thread-pool.ts';
import { refusalReasons, storageOperations } from '../../adapters/s3/s3-outcome.ts';
import type { VariantReport } from '../../adapters/variants/create-variant-maker.ts';
import { signInMethods } from '../../auth/sessions/session.ts';
import type { WebhookReport } from '../../backend/webhooks/deliver-webhooks.ts';
import { scanTroubles } from '../../files/uploads/scanner.ts';
import { variantFormats } from '../../files/variants/variant.ts';
import { failureCodes } from '../../kernel/failure.ts';
import { quotaNames } from '../../kernel/quota.ts';
import { listOf } from '../../kernel/text/closed-list.ts';
import { channels } from '../../messages/channel.ts';
import type { DeliveryEvent } from '../../messages/delivery/deliver-message.ts';
import type { ProviderState } from '../../messages/delivery/provider-place.ts';
import { otpPurposes } from '../../messages/message-kinds.ts';
import { batchBuckets } from '../../store/engine/store-meter.ts';
import { sweepTargets } from '../../store/engine/sweep-targets.ts';
import { type GaugeName, gauges } from './gauge-definitions.ts';
import type { Metric } from './metric.ts';
import {
  appCodeLabels,
  appExchangeLabels,
  bindingLabels,
  endLabels,
  phoneChangeLabels,
  proofLabels,
  refreshLabels,
  resumableLabels,
  scheduledPhoneLabels,
  signInLabels,
} from './outcome-labels.ts';

export const counters = {
  gauge_failures: {
    help: 'Gauges that could not be read at a scrape, so that they are absent from it',
    labels: { gauge: Object.keys(gauges) as GaugeName[] },
  },
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
      outcome: signInLabels,
    },
  },
  app_codes: {
    help: 'Requests of apps for a user who is signed in, by outcome; issued: the app gets a code',
    labels: { outcome: appCodeLabels },
  },
  app_exchanges: {
    help: 'Codes that apps exchanged for tokens, by outcome; reused: used twice, so the session that it gave has ended',
    labels: { outcome: appExchangeLabels },
  },
  emails_bound: { help: 'Correct codes for binding an e-mail address, by outcome', labels: { outcome: bindingLabels } },
  phones_changed: { help: 'Correct codes for a new number, by outcome', labels: { outcome: phoneChangeLabels } },
  proofs: { help: 'Correct codes and refused refresh tokens at proofs of sessions', labels: { outcome: proofLabels } },
  changes_disowned: {
    help: 'Links “this was not me” that were used: every session of the account has ended',
    labels: {},
  },
  scheduled_phone_changes: {
    help: 'Ends of scheduled changes of a phone number; taken: dropped because another account has the number; announced: after a restore',
    labels: { outcome: scheduledPhoneLabels },
  },
  refreshes: {
    help: 'Refresh tokens with a valid signature, by outcome; repeated: used again within REFRESH_TOKEN_GRACE; repeated_late: used again later by the same device',
    labels: { outcome: refreshLabels },
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
  provider_changes: {
    help: 'Times that a provider was left out because it fails or hangs (open) or asked to wait (paused), and taken back (closed); scope country: for one country only',
    labels: {
      channel: channels,
      provider: 'providers',
      scope: ['provider', 'country'],
      state: listOf<ProviderState>({ closed: true, open: true, paused: true }),
    },
  },
  webhooks: {
    help: 'Attempts to deliver a webhook event, by outcome',
    labels: { outcome: listOf<WebhookReport['outcome']>({ delivered: true, failed: true, parked: true }) },
  },
  resumable_uploads: {
    help: 'Uploads in several requests, by what became of them; taken over: an older request ended because a newer one continues; refused: the content',
    labels: { outcome: resumableLabels },
  },
  files_stored: { help: 'Files stored, by purpose', labels: { purpose: 'purposes' } },
  files_deleted: { help: 'Files deleted individually through the API', labels: {} },
  examiners_lost: {
    help: 'Examiner threads lost while they examined a file, by cause: CPU time, memory or a crash',
    labels: { loss: listOf<Loss>({ time: true, memory: true, crash: true }) },
  },
  variants: {
    help: 'Variants of pictures made, or not; failed: the picture cannot be read; time, memory, crash: the process was lost',
    labels: {
      format: variantFormats,
      outcome: listOf<VariantReport['outcome']>({ made: true, failed: true, time: true, memory: true, crash: true }),
    },
  },
  scans: {
    help: 'Scans of uploads by outcome; every outcome but clean and infected means that the file was not scanned',
    labels: { outcome: ['clean', 'infected', ...scanTroubles] },
  },
  files_unscanned: { help: 'Files accepted without a scan because SCAN_FAIL is open', labels: {} },
  file_bytes: { help: 'Bytes of files stored (in) and served (out)', labels: { direction: ['in', 'out'] } },
  storage_refusals: {
    help: 'Requests that S3 refused or did not answer; every retry counts; the log shows the error code',
    labels: {
      act: storageOperations,
      reason: refusalReasons,
    },
  },
  store_troubles: { help: 'Errors because the database was unavailable', labels: {} },
  blobs_swept: {
    help: 'Blobs removed by the sweep; orphaned: without a database record; deleted: of deleted files, which the deletion could not remove itself, and of files that were never recorded',
    labels: { reason: ['orphaned', 'deleted'] },
  },
  uploads_swept: {
    help: 'Uploads in several requests whose bytes the sweep removed; ended: stored, expired, or queued by a deletion; unknown: without a database record',
    labels: { reason: ['ended', 'unknown'] },
  },
  swept_rows: {
    help: 'Expired rows removed from the database, by table',
    labels: { table: [...sweepTargets, 'files'] },
  },
  sweep_failures: {
    help: 'Batches of expired rows that could not be removed, by table; the other tables are swept nevertheless',
    labels: { table: [...sweepTargets, 'files'] },
  },
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
  variant_seconds: {
    help: 'Time to read a picture and make a variant of it, without waiting',
    labels: { format: variantFormats },
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  scan_seconds: {
    help: 'Duration of scans that ended with a verdict, including the wait for a turn',
    labels: {},
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
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

type CounterName = keyof typeof counters;
type HistogramName = keyof typeof histograms;

type LabelsIn<F extends Metric> = {
  readonly [L in keyof F['labels']]: F['labels'][L] extends readonly (infer Word)[] ? Word : string;
};

type CounterLabels<N extends CounterName> = LabelsIn<(typeof counters)[N]>;
type HistogramLabels<N extends HistogramName> = LabelsIn<(typeof histograms)[N]>;
export type LimitLabel = CounterLabels<'limits_struck'>['limit'];

export type Metrics = {
  /** Records a finished request. `route` is the pattern, not the path. */
  request(method: string, route: string, status: number, seconds: number): void;
  /** Increments a counter. Labels never contain user data. */
  count<N extends CounterName>(name: N, labels: CounterLabels<N>, by?: number): void;
  observe<N extends Exclude<HistogramName, 'request_seconds'>>(
    name: N,
    labels: HistogramLabels<N>,
    value: number,
  ): void;
};
