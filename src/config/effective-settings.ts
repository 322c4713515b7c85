// Lists the effective value of every setting and its source. Of a secret it shows only the host that it connects to.

import type { SendPolicy } from '../abuse/sends.ts';
import { storageProviders } from '../adapters/providers.ts';
import type { Channel, PerChannel } from '../messages/channel.ts';
import type { Config } from './config.ts';
import type { Env } from './env-reader.ts';
import { isSecret, type SettingName, settingNames, settings } from './settings.ts';

export type Environment = {
  readonly env: Env;
  /** Which file has set a name that the environment of the process does not set. */
  readonly origins: Readonly<Record<string, string>>;
};

type EffectiveSetting = {
  readonly name: SettingName;
  readonly value: string;
  /** `environment`, `file` (which NAME_FILE names), `default`, or the file of settings. */
  readonly source: string;
};

export function effectiveSettings(config: Config, { env, origins }: Environment): EffectiveSetting[] {
  return settingNames.map((name) => {
    const path = isSecret(name) ? (env[`${name}_FILE`]?.trim() ?? '') : '';
    if (path !== '') return { name, value: `••• (in ${path})`, source: 'file' };
    const value = env[name]?.trim() ?? '';
    if (value === '') return { name, value: presets[name]?.(config) ?? settings[name].default, source: 'default' };
    return {
      name,
      value: isSecret(name) ? maskOf(name)(value) : value,
      source: origins[name] ?? 'environment',
    };
  });
}

/** Defaults that depend on other settings. */
const presets: Partial<Record<SettingName, (config: Config) => string>> = {
  PUBLIC_URL: ({ publicUrl }) => publicUrl,
  DATA_DIR: ({ dataDir }) => dataDir,
  SECRET: ({ dataDir }) => `••• (generated into ${dataDir})`,
  DATABASE_URL: ({ dataDir }) => `SQLite in ${dataDir}`,
  STORAGE_URL: ({ dataDir }) => `disk in ${dataDir}`,
  CAPTCHA_URL: ({ captcha }) => `${captcha.scheme}:`,
  LOGIN_LINK_URL: ({ loginLinkUrl }) => loginLinkUrl,
  SMS_DAILY_LIMIT: ({ brake }) => plain('SMS_DAILY_LIMIT', brake.perDay > 0),
  SMS_DAILY_LIMIT_PER_COUNTRY: ({ brake }) => plain('SMS_DAILY_LIMIT_PER_COUNTRY', brake.perCountryPerDay > 0),
  SMS_LIMIT_PER_PREFIX: ({ brake }) => plain('SMS_LIMIT_PER_PREFIX', brake.perPrefix.length > 0),
  SMS_UNUSED_SHARE: ({ brake }) => plain('SMS_UNUSED_SHARE', brake.unused !== undefined),
  OTP_RESEND_AFTER: ({ sends }) => byChannel('OTP_RESEND_AFTER', sends, 'resendAfterSeconds'),
  LIMIT_SENDS_PER_RECIPIENT: ({ sends }) => byChannel('LIMIT_SENDS_PER_RECIPIENT', sends, 'perRecipient'),
  LIMIT_SENDS_PER_IP: ({ sends }) => byChannel('LIMIT_SENDS_PER_IP', sends, 'perIp'),
  LIMIT_REQUESTS_PER_IP: ({ requestsPerIp }) => plain('LIMIT_REQUESTS_PER_IP', requestsPerIp.length > 0),
};

function plain(name: SettingName, isOn: boolean): string {
  return isOn ? settings[name].default.replace(/ \(.*\)$/, '') : 'off';
}

/** What each channel is called beside its value, in the order in which they are shown. */
const channelNames: PerChannel<string> = { sms: 'SMS', mail: 'mail' };

function byChannel(name: SettingName, sends: Config['sends'], policy: keyof SendPolicy): string {
  const values = (Object.keys(channelNames) as Channel[]).map((channel) => ({
    value: plain(name, sends[channel][policy].length > 0),
    shown: channelNames[channel],
  }));
  const [first = '', ...others] = new Set(values.map(({ value }) => value));
  return others.length === 0 ? first : values.map(({ shown, value }) => `${shown} ${value}`).join(', ');
}

const withPlainPath: ReadonlySet<string> = new Set(
  ['postgres', 'postgresql', ...storageProviders.flatMap(({ schemes }) => schemes)].map((scheme) => `${scheme}:`),
);

/** Of a secret that is no URL, nothing is shown: it may contain anything, also what looks like a URL. */
function maskOf(name: SettingName): (text: string) => string {
  return name.endsWith('_URL') ? maskSecret : () => '•••';
}

/** `postgres://•••@host/name`, `twilio://•••`. A value without an account or a key, such as `inbox:`, stays as it is. */
export function maskSecret(text: string): string {
  return text
    .split(/\s+/)
    .map((word) => {
      const [, scheme = '', rest = ''] = /^([a-z0-9+]+:)(.*)$/.exec(word) ?? [];
      if (scheme === '') return '•••';
      if (rest === '') return word;
      const [before = ''] = rest.split('?');
      const at = before.lastIndexOf('@');
      const isPlain = at >= 0 && !rest.slice(before.length).includes('@');
      const place = isPlain ? before.slice(at + 1) : '';
      // A path may contain a key. The name of a database or a bucket does not.
      const shown = withPlainPath.has(scheme) ? place : place.split('/', 1)[0];
      return `${scheme}//•••${shown === '' ? '' : `@${shown}`}`;
    })
    .join(' ');
}
