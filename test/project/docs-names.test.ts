// The documents and the files of a deployment name only what the code has: events, metrics, settings, error codes, commands, paths, files.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, it } from 'node:test';
import { help as benchHelp } from '../../bench/options.ts';
import { runtimeNames } from '../../scripts/metrics-page.ts';
import { allLines } from '../../scripts/site/all-lines.ts';
import { webhookTypeOf } from '../../src/backend/webhooks/webhook-event.ts';
import { declarations } from '../../src/commands/declarations.ts';
import { optionFlag } from '../../src/commands/option-flag.ts';
import { createProgram } from '../../src/commands/program.ts';
import { auditKinds } from '../../src/kernel/audit.ts';
import { failureCodes } from '../../src/kernel/failure.ts';
import { gauges } from '../../src/service/metrics/gauge-definitions.ts';
import { counters, histograms, storeHistograms } from '../../src/service/metrics/metric-definitions.ts';
import { tables } from '../../src/store/engine/tables.ts';
import { operations } from '../../src/store/operations/all.ts';
import { timelineKinds } from '../../src/support/trace-recipients.ts';
import { type KnownNames, type Labels, settingForms, unknownInText, unknownNames } from './document-names.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const find = (...patterns: string[]) =>
  globSync(patterns, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.pathname.length));

const documents = find('*.md', 'docs/**/*.md', '{client,media,examples,locales}/README.md', 'bench/*.md').sort();
const deployed = find('deploy/**/*', '.env.example').sort();

/** Names of other software. */
const foreign = {
  dotted: 'crypto.subtle phone.oninput phone.value process.env recovery.signal',
  lower: `add_header archive_command archive_mode auth_request auth_time autovacuum_vacuum_scale_factor checkpoint_timeout enable_seqscan
    full_page_writes ignore_startup_parameters max_connections max_wal_size pg_basebackup pg_control_system pg_is_in_recovery
    pg_replication_slots pg_rewind pg_upgrade recovery_target_action recovery_target_time restore_command rule_files scrape_configs slot_name stop_grace_period synchronous_commit
    synchronous_standby_names wal_compression wal_receiver_timeout wal_retrieve_retry_interval wal_sender_timeout`,
  oauth: `access_denied authorization_code client_id client_secret_basic client_secret_post code_challenge code_challenge_method
    code_verifier consent_required email_verified form_post id_token_hint invalid_client invalid_request invalid_scope login_hint
    login_required max_age offline_access phone_number phone_number_verified post_logout_redirect_uri refresh_token
    registration_not_supported request_not_supported request_uri_not_supported response_mode response_type ui_locales
    unsupported_grant_type unsupported_response_type`,
  upper: `AF_INET AF_INET6 AF_NETLINK AF_UNIX MALLOC_ARENA_MAX NODE_COMPILE_CACHE NODE_ENV NODE_OPTIONS O_DIRECT OTEL_EXPORTER_OTLP_ENDPOINT
    OTEL_LOGS_EXPORTER OTEL_METRICS_EXPORTER OTEL_SERVICE_NAME POSTGRES_DB POSTGRES_PASSWORD POSTGRES_USER
    ETCD_ADVERTISE_CLIENT_URLS ETCD_DATA_DIR ETCD_INITIAL_ADVERTISE_PEER_URLS ETCD_INITIAL_CLUSTER ETCD_INITIAL_CLUSTER_TOKEN
    ETCD_LISTEN_CLIENT_URLS ETCD_LISTEN_PEER_URLS ETCD_NAME PATRONI_NAME PATRONI_POSTGRESQL_CONNECT_ADDRESS
    PATRONI_REPLICATION_PASSWORD PATRONI_REPLICATION_USERNAME PATRONI_RESTAPI_CONNECT_ADDRESS PATRONI_RESTAPI_LISTEN
    PATRONI_REWIND_PASSWORD PATRONI_REWIND_USERNAME PATRONI_SUPERUSER_PASSWORD PATRONI_SUPERUSER_USERNAME`,
  options:
    '--help --cpu-prof --heap-growing-percent --max-old-space-size --max-semi-space-size --no-parallel-scavenge --optimize-for-size --single-threaded-gc',
};

/** Names that look like those of a table, and are others of ours. */
const own = {
  /** Calls of the client, files that the service writes, keys of the texts in locales/, fields of a user. */
  dotted:
    'gatehouse.fetch files.delete files.links files.readers files.trash files.json files.jsonl gatehouse.service manifest.json manifest.mac gatehouse.db-shm gatehouse.db-wal api.success sms.code metadata.public metadata.private',
  /** Variables that compose.yaml and a kubelet set, the form of a setting, and codes that only the client has. */
  upper: 'GATEHOUSE_PORT S3_SECRET NAME_FILE FILE_UNREADABLE FILE_NOT_SAME SESSION_STORAGE_FAILED',
  /** Spans of a trace, and a line of the log. */
  commands: ['storage keep', 'storage read', 'storage remove', 'storage refused'],
};

/** What a document makes up as an example, or names because it is gone. */
const examples: Readonly<Record<string, readonly string[]>> = {
  'CONTRIBUTING.md': [
    'VOICE_URL',
    'IDLE_SESSIONS_ENDED',
    'HELP_URL',
    'export const',
    'POST /api/auth/sessions/end-idle',
    'src/adapters/sms/bird.ts',
    'src/http/routes/auth/sessions/end-idle-sessions.ts',
    'src/auth/sessions/end-idle-sessions.ts',
    'test/http/routes/auth/sessions/end-idle-sessions.live.test.ts',
    'media/src/proofs/images/bmp.ts',
    'media/test/proofs/images/bmp.test.ts',
    'locales/it.json',
  ],
  'client/README.md': ['/api/orders'],
  // Files, and fields of other services.
  'docs/back-end.md': [
    'users.json',
    'users.csv',
    'users.jsonl',
    'phone_confirmed_at',
    'phone_verified',
    'email_confirmed_at',
    'last_sign_in_at',
    'last_login',
    'banned_until',
    'raw_app_meta_data',
    'app_metadata',
    'raw_user_meta_data',
    'user_metadata',
    'given_name',
    'family_name',
    'preferred_username',
    'POST /api/v2/jobs/users-exports',
  ],
  'examples/README.md': ['/api/profile'],
  // The app of the reader.
  'docs/components.md': ['app.hidden', 'file.name', 'src/main.tsx'],
  'docs/backup.md': ['backup.tar'],
  'locales/README.md': ['it.json'],
};

const words = (text: string) => text.split(/\s+/);
const metrics = metricNames();
const known: KnownNames = {
  events: new Set([...timelineKinds, ...auditKinds.flatMap((kind) => webhookTypeOf(kind) ?? []), 'webhook.test']),
  dotted: new Set([...words(foreign.dotted), ...words(own.dotted), ...Object.keys(operations)]),
  metrics,
  lower: new Set([
    ...Object.entries(tables).flatMap(([table, { columns }]) => [table, ...Object.keys(columns)]),
    ...runtimeNames,
    ...words(foreign.lower),
    ...words(foreign.oauth),
  ]),
  upper: new Set([
    ...settingForms,
    ...failureCodes,
    ...environmentNames(),
    ...words(foreign.upper),
    ...words(own.upper),
  ]),
  commands: new Set([...Object.keys(declarations), ...own.commands]),
  options: new Set([...optionNames(), ...benchOptions(), ...words(foreign.options), ...customProperties()]),
  routes: allLines().map(({ method, path }) => `${method} ${path}`),
  isFile: createFileCheck(),
};

describe('the names in the documents', () => {
  for (const path of documents) {
    it(`${path} names only what exists`, () => assert.deepEqual(unknownNames(read(path), known), examples[path] ?? []));
  }

  it('the files of a deployment name only metrics, settings and paths that exist', () => {
    const unknown = deployed.flatMap((path) => unknownInText(read(path), known).map((name) => `${path}: ${name}`));
    assert.deepEqual(unknown, []);
  });
});

describe('a lie in a document', () => {
  for (const [what, markdown, lie] of [
    ['an event', 'Look for `otp.guessed` in the log.', 'otp.guessed'],
    ['an event in a command', '`gatehouse audit tail --kind user.vanished --since 1h`', 'user.vanished'],
    ['an event in a block', '```sh\ngatehouse audit tail --kind sms.lost\n```', 'sms.lost'],
    ['a metric', 'Watch gatehouse_sweeps_total.', 'gatehouse_sweeps_total'],
    ['a counter without its ending', 'Watch `gatehouse_swept_rows`.', 'gatehouse_swept_rows'],
    ['a metric without its prefix', 'Watch `codes_asked`.', 'codes_asked'],
    ['a label', '`sign_ins{result="new"}`', 'sign_ins{result="new"}'],
    ['the value of a label', '`sign_ins{outcome="new|olde"}`', 'sign_ins{outcome="new|olde"}'],
    ['a table', 'The table `audit_entries` grows.', 'audit_entries'],
    ['a setting', 'Set SMS_HOURLY_LIMIT.', 'SMS_HOURLY_LIMIT'],
    ['a setting that has no file', 'Set `LOG_LEVEL_FILE`.', 'LOG_LEVEL_FILE'],
    ['an error code', 'It answers `OTP_WRONG`.', 'OTP_WRONG'],
    ['a command', 'Run `users forget` first.', 'users forget'],
    ['an option', 'Add `--anyway`.', '--anyway'],
    ['a path', 'Call `/api/auth/phone/check`.', '/api/auth/phone/check'],
    ['the method of a path', '`PATCH /api/auth/me`', 'PATCH /api/auth/me'],
    ['a file', 'See `src/auth/guess-code.ts`.', 'src/auth/guess-code.ts'],
  ] as const) {
    it(`${what} that does not exist is found`, () => assert.deepEqual(unknownNames(markdown, known), [lie]));
  }

  for (const [what, text, lie] of [
    ['a metric', 'expr: rate(gatehouse_sweeps_total[5m])', 'gatehouse_sweeps_total'],
    ['a setting', 'SMS_HOURLY_LIMIT: "5"', 'SMS_HOURLY_LIMIT'],
    ['a path', 'location /api/files/ {', '/api/files'],
  ] as const) {
    it(`${what} that does not exist is found in a file of a deployment`, () =>
      assert.deepEqual(unknownInText(text, known), [lie]));
  }
});

/** Prometheus adds two labels to every series, and a bound to each bucket. */
function metricNames(): Map<string, Labels> {
  const names = new Map<string, Labels>();
  const add = (metrics: Readonly<Record<string, { labels: Labels }>>, endings: readonly string[]) => {
    for (const [name, metric] of Object.entries(metrics)) {
      const labels = { ...metric.labels, instance: 'instances', job: 'jobs', le: 'bounds' };
      for (const known of [name, ...endings.map((ending) => `gatehouse_${name}${ending}`)]) names.set(known, labels);
    }
  };
  add(counters, ['_total']);
  add({ ...histograms, ...storeHistograms }, ['', '_bucket', '_sum', '_count']);
  add(gauges, ['']);
  return names;
}

function optionNames(): string[] {
  const ofAll = createProgram().options.map(({ long }) => long ?? '');
  return [...ofAll, ...Object.values(declarations).flatMap(({ options }) => Object.keys(options).map(optionFlag))];
}

function benchOptions(): string[] {
  return [...benchHelp.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name = '']) => name);
}

/** Of the sign-in element: they look like options. */
function customProperties(): string[] {
  const style = read('client/src/element/element-style.ts');
  return [...style.matchAll(/var\((--gatehouse-[a-z-]+)/g)].map(([, name = '']) => name);
}

/** Variables that tests, scripts and the client read. */
function environmentNames(): string[] {
  const sources = find('scripts/**/*.ts', 'bench/**/*.ts', 'test/**/*.ts', 'client/src/**/*.ts');
  return sources.flatMap((path) => [...read(path).matchAll(/process\.env\.([A-Z_]+)/g)].map(([, name = '']) => name));
}

/** A path from the root; or the bare name of a source. */
function createFileCheck(): (path: string) => boolean {
  const names = new Set(find('*', 'src/**/*', 'media/src/**/*', 'locales/*').map((path) => basename(path)));
  return (path) => existsSync(new URL(path, root)) || names.has(path);
}
