// Reads and checks the environment once: readConfig(env) returns one frozen object, or a list of all problems.

import { resolve } from 'node:path';
import type { BrakePolicy } from '../abuse/sms-brake.ts';
import type { App } from '../apps/clients/app.ts';
import type { TestRecipient } from '../auth/codes/challenge.ts';
import type { NoticeChoice } from '../auth/notices/notice.ts';
import type { Purpose } from '../files/purpose.ts';
import type { Quota } from '../files/quota.ts';
import { isLoopback } from '../kernel/net/loopback.ts';
import { formatBytes } from '../kernel/text/format-bytes.ts';
import type { PhoneType } from '../kernel/text/phone-types.ts';
import { createEnvReader, type Env, type Problem } from './env-reader.ts';
import { warnOfIdentity } from './identity-settings.ts';
import { warnOfPlainText } from './plain-text-connections.ts';
import { type AddressConfig, readAddress } from './read-address.ts';
import { readAppList } from './read-apps.ts';
import { type BrandConfig, readBrand } from './read-brand.ts';
import { readBrake, readPhoneTypes, readPurposes, readTestRecipients } from './read-lists.ts';
import { type PolicyConfig, readPolicies } from './read-policies.ts';
import { type ProviderConfig, readProviders } from './read-providers.ts';
import { readSecrets, type SecretConfig } from './read-secrets.ts';
import { readWebhooks, type WebhookConfig } from './read-webhooks.ts';
import { findLookAlikes } from './suggest-setting.ts';
import { parseBytes, parseDuration } from './units.ts';
import { warnOfParameters } from './unknown-parameters.ts';

export type Config = AddressConfig &
  SecretConfig &
  ProviderConfig &
  WebhookConfig &
  PolicyConfig & {
    readonly dataDir: string;
    readonly brand: BrandConfig;
    readonly signup: 'open' | 'closed';
    readonly notices: NoticeChoice;
    readonly testRecipients: readonly TestRecipient[];
    readonly brake: BrakePolicy;
    readonly phoneTypes: readonly PhoneType[];
    readonly files: {
      purposes: readonly Purpose[];
      delivery: 'auto' | 'stream' | 'redirect' | 'accel';
      quota: Quota;
      /** The limit for all uploads in progress on this node, in total. */
      spoolBytes: number;
      /** How long an upload in several requests waits for its next byte, and how large one of its requests should be. */
      uploadLifeSeconds: number;
      appendBytes: number;
      /** 0: there is no trash. */
      trashSeconds: number;
    };
    /** The apps that sign users in by OpenID Connect. */
    readonly apps: readonly App[];
    readonly logLevel: string;
    /** auto: pretty if stdout is a terminal, and JSON otherwise. */
    readonly logFormat: 'auto' | 'json' | 'pretty';
    readonly warnings: readonly string[];
  };

export type ConfigResult = { config: Config } | { problems: Problem[] };

export function readConfig(env: Env, now: number = Date.now(), readFile?: (path: string) => string): ConfigResult {
  const reader = createEnvReader(env, readFile);
  const warnings: string[] = [];
  const address = readAddress(reader);
  const isProduction = address.mode === 'production';
  const allowsInsecure = ['1', 'on'].includes(reader.choice('ALLOW_INSECURE', 'off', ['off', '0', '1', 'on']));
  const providers = readProviders(reader, { isProduction, allowsInsecure, warnings });
  const { isInbox } = providers;
  if (!isProduction && Object.values(isInbox).includes(true)) warnOfPublicInbox(address.listen.host, warnings);
  const config: Config = {
    ...address,
    ...readSecrets(reader, isProduction),
    ...providers,
    ...readWebhooks(reader),
    ...readPolicies(reader, { isProduction, isInbox }),
    dataDir: resolve(reader.text('DATA_DIR') ?? './data'),
    brand: readBrand(reader, address.publicUrl),
    signup: reader.choice('SIGNUP', 'open', ['open', 'closed'] as const),
    notices: reader.choice('NOTICES', 'mail', ['mail', 'mail+sms', 'off'] as const),
    testRecipients: readTestRecipients(reader, now, warnings),
    brake: readBrake(reader, isInbox.sms),
    phoneTypes: readPhoneTypes(reader),
    files: {
      purposes: readPurposes(reader),
      delivery: reader.choice('FILE_DELIVERY', 'auto', ['auto', 'stream', 'redirect', 'accel'] as const),
      quota: {
        bytes: reader.bytes('FILE_QUOTA', 2 * 2 ** 30),
        files: reader.count('FILE_COUNT', 10_000, 1, 1_000_000_000),
      },
      spoolBytes: reader.bytes('SPOOL_LIMIT', Number.POSITIVE_INFINITY),
      uploadLifeSeconds: reader.duration('UPLOAD_LIFE', 86_400),
      appendBytes: reader.parsed(
        'UPLOAD_APPEND_SIZE',
        50_000_000,
        parseAppendSize,
        'write a size with its unit, at least 1MB, for example 50MB',
      ),
      trashSeconds: reader.parsed(
        'TRASH_LIFE',
        7 * 86_400,
        parseTrashLife,
        'write a number and a unit (s, m, h, d), up to 3650d, for example 7d, or 0 for no trash',
      ),
    },
    apps: readAppList(reader),
    logLevel: reader.choice('LOG_LEVEL', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    logFormat: reader.choice('LOG_FORMAT', 'auto', ['auto', 'json', 'pretty'] as const),
    warnings,
  };
  warnings.push(...warnOfParameters(config), ...warnOfPlainText(config, isProduction), ...warnOfSmallSpools(config));
  if (isProduction) warnings.push(...warnOfIdentity(config));
  const problems = [...reader.problems, ...findLookAlikes(env)];
  return problems.length > 0 ? { problems } : { config: Object.freeze(config) };
}

/** Without this warning, only the users whose uploads are always refused would notice. */
function warnOfSmallSpools({ files: { purposes, spoolBytes }, listen: { workers } }: Config): string[] {
  const largest = Math.max(...purposes.map(({ maxBytes }) => maxBytes)) * workers;
  if (spoolBytes >= largest) return [];
  return [
    `SPOOL_LIMIT is less than the largest upload that the purposes allow (times WORKERS): larger uploads are always refused. Set ${formatBytes(largest)} or more.`,
  ];
}

/** Local mode trusts every client that can reach the port, so only this machine should reach it. */
function warnOfPublicInbox(host: string, warnings: string[]): void {
  if (isLoopback(host)) return;
  warnings.push(
    `HOST=${host} accepts connections from other machines. Anyone who can reach the port can read the inbox and sign in as anyone. Remove HOST, or set PUBLIC_URL for production.`,
  );
}

/** Each request makes a part, and the number of parts is limited. So 50 instead of 50MB would refuse all but the smallest files. */
function parseAppendSize(text: string): number | undefined {
  const bytes = parseBytes(text);
  return bytes !== undefined && bytes >= 1_000_000 ? bytes : undefined;
}

function parseTrashLife(text: string): number | undefined {
  return ['0', 'off'].includes(text.trim()) ? 0 : parseDuration(text);
}
