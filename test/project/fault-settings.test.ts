// Faults are tested with the settings that users have: a fault test that changes a default is listed here, with the reason and a test
// of faults that runs with the default.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type SettingName, settingNames } from '../../src/config/settings.ts';
import { noSendLimits } from '../helpers/services/no-send-limits.ts';

const patterns = [
  'test/faults/**/*.ts',
  'test/helpers/faults/*.ts',
  'test/helpers/histories/*.ts',
  'test/http/histories/*.ts',
  'test/helpers/**/{fleet,postgres-pair,haproxy}.ts',
  'test/service/{many,two}-nodes.*.test.ts',
  'test/http/histories.slow.test.ts',
  'test/store/postgres/*.test.ts',
];
const files = patterns.flatMap((pattern) => globSync(pattern)).toSorted();

/** Where things are, who may call, and what is logged: no default that a fault could meet. */
const places: readonly SettingName[] = [
  ...(['PORT', 'PUBLIC_URL', 'DATA_DIR', 'DATABASE_URL', 'STORAGE_URL', 'SECRET', 'SECRET_PREVIOUS'] as const),
  ...(['SMS_URL', 'SMS_WEBHOOK_SECRET', 'MAIL_URL', 'CAPTCHA_URL', 'TEST_RECIPIENTS', 'TRUSTED_PROXIES'] as const),
  ...(['CORS_ORIGINS', 'METRICS_PORT', 'LOG_LEVEL', 'WORKERS', 'PURPOSES_FILE', 'ALLOW_INSECURE'] as const),
];

type Change = {
  readonly why: string;
  readonly in: readonly string[];
  /** A test of faults with the default. Absent where the value is harder than the default. */
  readonly byDefault?: string;
};

const kill = 'test/faults/kill.slow.test.ts';
const rolling = 'test/faults/rolling.slow.test.ts';
const rig = 'test/faults/rig/crash-rig.ts';
const histories = 'test/http/histories/http-nodes.ts';
const races = 'test/faults/races.slow.test.ts';
const manyNodes = 'test/service/many-nodes.slow.test.ts';
const outage = 'test/store/operations/messages/provider-outage.slow.test.ts';
/** All of their codes are asked for from one address and one block of numbers, more than one person may ask for. */
const manyCodes = [
  ...['delivery-histories', 'kill-sends', 'provider-faults'].map(toFault),
  'test/store/postgres/database-password.slow.test.ts',
];
const manyUploads = ['clients', 'commit-bytes', 'cut-uploads', 'races', 'resources', 'worst-heads'];

const changes: { readonly [Name in SettingName]?: Change } = {
  TRASH_LIFE: {
    why: 'harder: a deletion removes bytes at once, so a fault can leave some behind',
    in: [
      ...['clients', 'failover', 'memory', 'nth-call', 'races', 'resources', 'rolling'].map(toFault),
      ...[rig, histories],
    ],
  },
  UPLOAD_LIFE: { why: 'harder: unfinished uploads expire within the test', in: ['cut-uploads'].map(toFault) },
  LIMIT_UPLOADS_PER_USER: {
    why: 'one user uploads more than 60 times a minute',
    in: [...manyUploads.map(toFault), histories],
    byDefault: kill,
  },
  OTP_SMS_LIFE: {
    why: 'a slow machine with one kill after the other delays messages',
    in: [rig, histories],
    byDefault: rolling,
  },
  OTP_MAIL_LIFE: { why: 'as for codes by SMS', in: [rig, histories], byDefault: rolling },
  LINK_LIFE: { why: 'as for codes by SMS', in: [rig, histories], byDefault: rolling },
  ACCESS_TOKEN_LIFE: {
    why: 'the long form takes hours, and in the model nothing ends because time passes',
    in: [toFault('cut-uploads'), histories],
    byDefault: kill,
  },
  OTP_ATTEMPTS: {
    why: 'more clients guess at once than a code has attempts',
    in: [races, histories],
    byDefault: rolling,
  },
  LIMIT_ATTEMPTS_PER_RECIPIENT: {
    why: 'more clients guess at once than a number has attempts',
    in: [races, toFault('worst-heads'), histories],
    byDefault: rolling,
  },
  REFRESH_TOKEN_GRACE: { why: 'harder: the standby is away for longer than it', in: ['drills'].map(toFault) },
  FILE_COUNT: { why: 'harder: uploads race for the last files of a quota', in: [races, histories] },
  FILE_QUOTA: { why: 'one file is larger than the quota', in: ['large-upload'].map(toFault), byDefault: kill },
  SESSIONS_PER_USER: { why: 'the model evicts no session', in: [histories], byDefault: rolling },
  LIMIT_SENDS_PER_RECIPIENT: {
    why: 'harder where the limit is reached; else one number asks again and again',
    in: [histories, manyNodes, ...manyCodes],
    byDefault: outage,
  },
  LIMIT_SENDS_PER_IP: {
    why: 'all users of the test have one address',
    in: [manyNodes, ...manyCodes],
    byDefault: outage,
  },
  SMS_LIMIT_PER_PREFIX: {
    why: 'the numbers of the test are neighbours',
    in: [manyNodes, ...manyCodes],
    byDefault: outage,
  },
  SMS_UNUSED_SHARE: { why: 'nobody uses the codes of the test', in: manyCodes, byDefault: outage },
  OTP_RESEND_AFTER: { why: 'a limit is reached at once', in: [manyNodes, ...manyCodes], byDefault: outage },
};

function toFault(name: string): string {
  return `test/faults/${name}.slow.test.ts`;
}

function changedIn(path: string): SettingName[] {
  const text = readFileSync(path, 'utf8');
  const isSpread = text.includes('noSendLimits');
  const isKey = (name: SettingName) =>
    (isSpread && name in noSendLimits) || new RegExp(`(^|[\\s{,])${name}: `, 'm').test(text);
  return settingNames.filter((name) => !places.includes(name) && isKey(name));
}

describe('the settings of fault tests', () => {
  it('every pattern names files', () => {
    assert.deepEqual(
      patterns.filter((pattern) => globSync(pattern).length === 0),
      [],
    );
  });

  it('every fault test that changes a default is listed with its reason', () => {
    const found = files.flatMap((path) => changedIn(path).map((name) => `${name} in ${path}`));
    const listed = Object.entries(changes).flatMap(([name, change]) => change.in.map((path) => `${name} in ${path}`));
    assert.deepEqual(found.toSorted(), listed.toSorted());
  });

  for (const [name, { byDefault, why }] of Object.entries(changes)) {
    it(`faults are also tested with the default of ${name}, or its value is harder`, () => {
      if (byDefault === undefined) return assert.match(why, /^harder: /);
      assert.ok(existsSync(byDefault) && !changedIn(byDefault).includes(name as SettingName));
    });
  }
});
