// The environment, read once and checked: readConfig(env) gives one frozen object or one list of all problems.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { OtpPolicy, TestRecipient } from '../auth/challenge.ts';
import type { SessionPolicy } from '../auth/session.ts';
import type { LimitRule } from '../guard/limits.ts';
import type { SendPolicy } from '../guard/sends.ts';
import type { BrakePolicy } from '../guard/sms-brake.ts';
import { createEnvReader, type Env, type EnvReader, findLookAlikes, type Problem } from './env-reader.ts';
import { type ProviderUrl, parseProviderUrl } from '../kernel/provider-url.ts';
import { readBrake, readTestRecipients } from './read-lists.ts';
import { parseDuration } from './units.ts';

export type Config = {
  readonly mode: 'local' | 'production';
  readonly listen: { host: string; port: number; metricsPort: number | undefined; workers: number };
  /** An origin, without a slash at its end. */
  readonly publicUrl: string;
  readonly dataDir: string;
  /** Undefined in local mode: generated into dataDir. */
  readonly secret: string | undefined;
  readonly previousSecret: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly storage: ProviderUrl | undefined;
  readonly sms: { providers: readonly ProviderUrl[]; webhookSecret: string | undefined; isInbox: boolean };
  readonly mail: { provider: ProviderUrl; from: string | undefined; isInbox: boolean };
  readonly captcha: ProviderUrl;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly loginLinkUrl: string;
  readonly brandName: string;
  readonly signup: 'open' | 'closed';
  readonly testRecipients: readonly TestRecipient[];
  readonly otp: { sms: OtpPolicy; mail: OtpPolicy };
  readonly sends: { sms: SendPolicy; mail: SendPolicy };
  readonly brake: BrakePolicy;
  readonly linkLifeSeconds: number;
  readonly accessTokenLifeSeconds: number;
  readonly session: SessionPolicy;
  readonly requestsPerIp: readonly LimitRule[];
  readonly uploadsPerUser: readonly LimitRule[];
  readonly files: {
    purposesFile: string | undefined;
    delivery: 'auto' | 'stream' | 'redirect' | 'accel';
    quotaBytes: number;
    quotaFiles: number;
  };
  readonly logLevel: string;
  readonly warnings: readonly string[];
};

export type ConfigResult = { config: Config } | { problems: Problem[] };

export function readConfig(env: Env, now: number = Date.now(), readFile?: (path: string) => string): ConfigResult {
  const reader = createEnvReader(env, readFile);
  const warnings: string[] = [];
  const address = readAddress(reader);
  const production = address.mode === 'production';
  const allowInsecure = reader.choice('ALLOW_INSECURE', 'off', ['off', '0', '1', 'on']);
  const insecureAllowed = allowInsecure === '1' || allowInsecure === 'on';
  const providers = readProviders(reader, production, insecureAllowed, warnings);
  const policies = readPolicies(reader, providers.sms.isInbox, providers.mail.isInbox);
  const config: Config = {
    ...address,
    dataDir: resolve(reader.text('DATA_DIR') ?? './data'),
    ...readSecrets(reader, production),
    ...providers,
    ...policies,
    trustedProxies: readTrustedProxies(reader),
    corsOrigins: readOrigins(reader),
    loginLinkUrl: readLoginLinkUrl(reader, address.publicUrl),
    brandName: readBrandName(reader),
    signup: reader.choice('SIGNUP', 'open', ['open', 'closed'] as const),
    testRecipients: readTestRecipients(reader, now, warnings),
    brake: readBrake(reader, providers.sms.isInbox),
    requestsPerIp: reader.limit('LIMIT_REQUESTS_PER_IP', production ? [{ count: 600, windowSeconds: 60 }] : []),
    uploadsPerUser: reader.limit('LIMIT_UPLOADS_PER_USER', [{ count: 60, windowSeconds: 60 }]),
    files: {
      purposesFile: reader.text('PURPOSES_FILE'),
      delivery: reader.choice('FILE_DELIVERY', 'auto', ['auto', 'stream', 'redirect', 'accel'] as const),
      quotaBytes: reader.bytes('FILE_QUOTA', 2 * 2 ** 30),
      quotaFiles: reader.count('FILE_COUNT', 10_000, 1, 1_000_000_000),
    },
    logLevel: reader.choice('LOG_LEVEL', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    warnings,
  };
  const problems = [...reader.problems, ...findLookAlikes(env)];
  return problems.length > 0 ? { problems } : { config: Object.freeze(config) };
}

function readAddress(reader: EnvReader): Pick<Config, 'mode' | 'listen' | 'publicUrl'> {
  const port = reader.count('PORT', 8080, 1, 65_535);
  const host = reader.parsed('HOST', '127.0.0.1', readHost, 'write an IP address or a host name, for example 0.0.0.0');
  const publicUrl = reader.parsed(
    'PUBLIC_URL',
    `http://localhost:${port}`,
    readOrigin,
    'write scheme and host without a path, for example https://id.example.com',
  );
  const metricsPort = reader.parsed(
    'METRICS_PORT',
    9464,
    (text) => (text === 'off' ? 0 : Number(/^\d{1,5}$/.exec(text)?.[0]) || undefined),
    'write a port, or off',
  );
  if (metricsPort > 65_535) reader.report('METRICS_PORT', 'is no port', 'write a number from 1 to 65535, or off');
  if (metricsPort === port) reader.report('METRICS_PORT', 'is the same as PORT', 'write another port, or off');
  const workers = reader.count('WORKERS', 1, 1, 64);
  const mode = isLoopback(new URL(publicUrl).hostname) ? 'local' : 'production';
  return { mode, listen: { host, port, metricsPort: metricsPort === 0 ? undefined : metricsPort, workers }, publicUrl };
}

function readSecrets(
  reader: EnvReader,
  production: boolean,
): Pick<Config, 'secret' | 'previousSecret' | 'databaseUrl' | 'storage'> {
  const secret = readSecret(reader, 'SECRET');
  if (secret === undefined && production) {
    reader.report('SECRET', 'is required in production', 'write 32 random bytes or more: openssl rand -base64 48');
  }
  const databaseUrl = reader.text('DATABASE_URL');
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\/./.test(databaseUrl)) {
    reader.report(
      'DATABASE_URL',
      'cannot be read',
      'write postgres://user:password@host:5432/name, or leave it out for SQLite',
    );
  }
  const storage = reader.parsed<ProviderUrl | undefined>(
    'STORAGE_URL',
    undefined,
    (text) => ofScheme(text, ['s3']),
    'write s3://KEY:SECRET@host:port/bucket?region=…, or leave it out for the disk',
  );
  return { secret, previousSecret: readSecret(reader, 'SECRET_PREVIOUS'), databaseUrl, storage };
}

function readSecret(reader: EnvReader, name: 'SECRET' | 'SECRET_PREVIOUS'): string | undefined {
  const secret = reader.text(name);
  if (secret !== undefined && Buffer.byteLength(secret) < 32) {
    return reader.report(name, 'is too short', 'write at least 32 bytes: openssl rand -base64 48');
  }
  return secret;
}

function readProviders(
  reader: EnvReader,
  production: boolean,
  insecureAllowed: boolean,
  warnings: string[],
): Pick<Config, 'sms' | 'mail' | 'captcha'> {
  const inbox: ProviderUrl = { scheme: 'inbox', id: '', secret: '', host: '', path: '', query: {} };
  const smsSchemes = ['inbox', 'webhook+https', 'webhook+http', 'twilio', 'vonage'];
  const smsCure = 'write inbox:, webhook+https://…, twilio://SID:TOKEN@?from=… or vonage://KEY:SECRET@?from=…';
  const sms = reader.parsed<readonly ProviderUrl[]>(
    'SMS_URL',
    [inbox],
    (text) => everyOfScheme(text, smsSchemes),
    smsCure,
  );
  const mail = reader.parsed(
    'MAIL_URL',
    inbox,
    (text) => ofScheme(text, ['inbox', 'smtp', 'smtps']),
    'write smtp://user:password@host:587 or smtps://…',
  );
  const captcha = reader.parsed(
    'CAPTCHA_URL',
    { ...inbox, scheme: production ? 'altcha' : 'open' },
    (text) => ofScheme(text, ['altcha', 'open', 'turnstile', 'hcaptcha', 'recaptcha']),
    'write altcha:, open:, turnstile://SITEKEY:SECRET, hcaptcha://… or recaptcha://…',
  );
  const mailFrom = reader.parsed<string | undefined>(
    'MAIL_FROM',
    undefined,
    (text) => (/^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text) ? text : undefined),
    'write name@example.com or Name <name@example.com>',
  );
  if (mailFrom === undefined && (mail.scheme !== 'inbox' || (production && !insecureAllowed))) {
    reader.report('MAIL_FROM', 'is required', 'write Name <name@example.com>');
  }
  const smsIsInbox = sms.some((provider) => provider.scheme === 'inbox');
  if (production) {
    const guard = (name: 'SMS_URL' | 'MAIL_URL' | 'CAPTCHA_URL', insecure: boolean, cure: string) => {
      if (!insecure) return;
      if (insecureAllowed) warnings.push(`${name} is not fit for production; ALLOW_INSECURE lets it through.`);
      else
        reader.report(
          name,
          reader.text(name) === undefined ? 'is required in production' : 'is refused in production',
          cure,
        );
    };
    guard('SMS_URL', smsIsInbox, smsCure.replace('inbox:, ', ''));
    guard('MAIL_URL', mail.scheme === 'inbox', 'write smtp://user:password@host:587');
    guard('CAPTCHA_URL', captcha.scheme === 'open', 'write altcha:, or leave it out');
  }
  return {
    sms: { providers: sms, webhookSecret: reader.text('SMS_WEBHOOK_SECRET'), isInbox: smsIsInbox },
    mail: { provider: mail, from: mailFrom, isInbox: mail.scheme === 'inbox' },
    captcha,
  };
}

function readPolicies(reader: EnvReader, smsInbox: boolean, mailInbox: boolean) {
  const attempts = reader.count('OTP_ATTEMPTS', 5, 1, 100);
  const failuresPerRecipient = reader.limit('LIMIT_ATTEMPTS_PER_RECIPIENT', [{ count: 15, windowSeconds: 86_400 }]);
  const smsLife = reader.duration('OTP_SMS_LIFE', 300);
  const mailLife = reader.duration('OTP_MAIL_LIFE', 600);
  const off = { resendAfterSeconds: [], perRecipient: [], perIp: [] };
  const capped = {
    resendAfterSeconds: [30, 60, 120, 300],
    perRecipient: [
      { count: 5, windowSeconds: 3600 },
      { count: 10, windowSeconds: 86_400 },
    ],
    perIp: [
      { count: 20, windowSeconds: 3600 },
      { count: 60, windowSeconds: 86_400 },
    ],
  };
  const sendsOf = (fallback: SendPolicy): SendPolicy => ({
    resendAfterSeconds: reader.parsed(
      'OTP_RESEND_AFTER',
      fallback.resendAfterSeconds,
      readCoolDowns,
      'write durations separated by commas, for example 30s,60s,120s, or off',
    ),
    perRecipient: reader.limit('LIMIT_SENDS_PER_RECIPIENT', fallback.perRecipient),
    perIp: reader.limit('LIMIT_SENDS_PER_IP', fallback.perIp),
  });
  const before = reader.problems.length;
  const sms = sendsOf(smsInbox ? off : capped);
  const reported = reader.problems.length;
  const mail = sendsOf(mailInbox ? off : capped);
  if (reported > before) reader.problems.length = reported;
  return {
    otp: {
      sms: { lifeSeconds: smsLife, capSeconds: smsLife * 2, attempts, failuresPerRecipient },
      mail: { lifeSeconds: mailLife, capSeconds: mailLife * 1.5, attempts, failuresPerRecipient },
    },
    sends: { sms, mail },
    linkLifeSeconds: reader.duration('LINK_LIFE', 900),
    accessTokenLifeSeconds: reader.duration('ACCESS_TOKEN_LIFE', 900),
    session: {
      idleSeconds: reader.duration('REFRESH_TOKEN_IDLE', 30 * 86_400),
      lifeSeconds: reader.duration('REFRESH_TOKEN_LIFE', 180 * 86_400),
      graceSeconds: reader.duration('REFRESH_TOKEN_GRACE', 30),
      perUser: reader.count('SESSIONS_PER_USER', 20, 1, 1000),
    },
  };
}

function readCoolDowns(text: string): number[] | undefined {
  if (text === 'off') return [];
  const seconds = text.split(',').map(parseDuration);
  return seconds.every((value) => value !== undefined) ? seconds : undefined;
}

function readTrustedProxies(reader: EnvReader): string[] {
  return readList(reader, 'TRUSTED_PROXIES', 'write addresses or networks, for example 10.0.0.0/8,::1', (entry) => {
    const [address = '', bits] = entry.split('/');
    if (isIP(address) === 0) return undefined;
    // A mapped network such as ::ffff:10.0.0.0/8 would trust half the internet: only plain forms are taken.
    if (address.toLowerCase().startsWith('::ffff:')) return undefined;
    if (bits === undefined) return entry;
    return ipaddr.isValidCIDR(entry) && Number(bits) > 0 ? entry : undefined;
  });
}

function readOrigins(reader: EnvReader): string[] {
  return readList(reader, 'CORS_ORIGINS', 'write exact origins, for example https://app.example.com', readOrigin);
}

function readList(
  reader: EnvReader,
  name: 'TRUSTED_PROXIES' | 'CORS_ORIGINS',
  cure: string,
  read: (entry: string) => string | undefined,
): string[] {
  return reader.parsed<string[]>(
    name,
    [],
    (text) => {
      const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
      const values = entries.map(read).filter((entry) => entry !== undefined);
      return values.length === entries.length ? values : undefined;
    },
    cure,
  );
}

function readLoginLinkUrl(reader: EnvReader, publicUrl: string): string {
  return reader.parsed(
    'LOGIN_LINK_URL',
    `${publicUrl}/login/link`,
    (text) => (URL.canParse(text) && !text.includes('#') && !/^(javascript|data):/i.test(text) ? text : undefined),
    'write a whole URL without a fragment, for example https://app.example.com/login',
  );
}

function readBrandName(reader: EnvReader): string {
  return reader.parsed(
    'BRAND_NAME',
    'Gatehouse',
    (text) => (text.length <= 30 && !/[\p{C}{}<>]/u.test(text) ? text : undefined),
    'write at most 30 plain characters',
  );
}

function readHost(text: string): string | undefined {
  return isIP(text) !== 0 || /^[A-Za-z0-9.-]{1,253}$/.test(text) ? text : undefined;
}

function readOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const bare =
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && !text.includes('#');
  return bare && (url.protocol === 'http:' || url.protocol === 'https:') ? url.origin : undefined;
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

function ofScheme(text: string, schemes: readonly string[]): ProviderUrl | undefined {
  const url = parseProviderUrl(text);
  return url !== undefined && schemes.includes(url.scheme) ? url : undefined;
}

function everyOfScheme(text: string, schemes: readonly string[]): ProviderUrl[] | undefined {
  const urls = text.split(/\s+/).map((part) => ofScheme(part, schemes));
  return urls.every((url) => url !== undefined) ? urls : undefined;
}
