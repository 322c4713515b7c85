// Reads the settings that have their own syntax: test recipients, phone number types, purposes and the SMS spending brake.

import type { BrakePolicy } from '../abuse/sms-brake.ts';
import type { TestRecipient } from '../auth/codes/challenge.ts';
import { builtInPurposes, type Purpose, parsePurposes } from '../files/purpose.ts';
import { ordinaryTypes, type PhoneType, phoneTypes } from '../kernel/text/phone-types.ts';
import type { EnvReader } from './env-reader.ts';
import { parseCount } from './units.ts';

export function readTestRecipients(reader: EnvReader, now: number, warnings: string[]): TestRecipient[] {
  const cure = 'write recipient=code@date, for example +15550100001=000000@2027-01-01';
  const recipients = reader.parsed<TestRecipient[]>('TEST_RECIPIENTS', [], parseTestRecipients, cure);
  return recipients.filter((entry) => {
    if (entry.until > now) return true;
    warnings.push(
      `TEST_RECIPIENTS: an entry ended on ${new Date(entry.until).toISOString().slice(0, 10)} and is ignored.`,
    );
    return false;
  });
}

function parseTestRecipients(text: string): TestRecipient[] | undefined {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  const recipients = entries.map((entry) => {
    const match = /^(\+\d{4,15}|[^\s=@]+@[^\s=@]+)=(\d{6})@(\d{4}-\d{2}-\d{2})$/.exec(entry);
    const until = Date.parse(`${match?.[3]}T00:00:00Z`);
    if (match?.[1] === undefined || match[2] === undefined || Number.isNaN(until)) return undefined;
    // Date.parse would read 31 February as 3 March.
    if (new Date(until).toISOString().slice(0, 10) !== match[3]) return undefined;
    return { recipient: match[1].toLowerCase(), code: match[2], until };
  });
  return recipients.every((entry) => entry !== undefined) ? recipients : undefined;
}

/** Off by default with the inbox, because then no message leaves the machine. */
export function readBrake(reader: EnvReader, smsIsInbox: boolean): BrakePolicy {
  const perDay = (name: 'SMS_DAILY_LIMIT' | 'SMS_DAILY_LIMIT_PER_COUNTRY', fallback: number) =>
    reader.parsed(
      name,
      smsIsInbox ? 0 : fallback,
      (text) => (text === 'off' ? 0 : parseCount(text, 1, 100_000_000)),
      'write a whole number, or off',
    );
  return {
    countries: reader.parsed<readonly string[]>(
      'SMS_COUNTRIES',
      [],
      parseCountries,
      'write ISO codes, for example DE,FR,US, or all',
    ),
    perDay: perDay('SMS_DAILY_LIMIT', 5000),
    perCountryPerDay: perDay('SMS_DAILY_LIMIT_PER_COUNTRY', 1000),
    perPrefix: reader.limit('SMS_LIMIT_PER_PREFIX', smsIsInbox ? [] : [{ count: 30, windowSeconds: 3600 }]),
    unused: reader.parsed<{ readonly rule: BrakePolicy['unused'] }>(
      'SMS_UNUSED_SHARE',
      { rule: smsIsInbox ? undefined : { share: 0.8, least: 50 } },
      (text) => (text === 'off' ? { rule: undefined } : parseUnused(text)),
      'write a share and the least number of codes, for example 80%/50, or off',
    ).rule,
  };
}

export function readPhoneTypes(reader: EnvReader): readonly PhoneType[] {
  return reader.parsed<readonly PhoneType[]>(
    'PHONE_TYPES',
    ordinaryTypes,
    (text) => {
      const words = text.split(/[\s,]+/).filter((word) => word !== '');
      const types = phoneTypes.filter((type) => words.includes(type));
      return types.length > 0 && types.length === new Set(words).size ? types : undefined;
    },
    `write some of ${phoneTypes.join(',')}`,
  );
}

/** Reports every problem in the file as a problem of the setting. */
export function readPurposes(reader: EnvReader): readonly Purpose[] {
  const path = reader.text('PURPOSES_FILE');
  if (path === undefined) return builtInPurposes;
  let text: string;
  try {
    text = reader.readFile(path);
  } catch {
    reader.report('PURPOSES_FILE', 'names a file that cannot be read', 'check the path and its permissions');
    return builtInPurposes;
  }
  const result = parsePurposes(text);
  if ('purposes' in result) return result.purposes;
  for (const problem of result.problems) reader.report('PURPOSES_FILE', 'is invalid', problem);
  return builtInPurposes;
}

function parseCountries(text: string): string[] | undefined {
  if (text === 'all') return [];
  const codes = text
    .toUpperCase()
    .split(/[\s,]+/)
    .filter((code) => code !== '');
  return codes.every((code) => /^[A-Z]{2}$/.test(code)) ? codes : undefined;
}

function parseUnused(text: string): { readonly rule: BrakePolicy['unused'] } | undefined {
  const match = /^(\d{1,3})%\/(\d{1,6})$/.exec(text);
  if (match === null) return undefined;
  const share = Number(match[1]) / 100;
  return share > 0 && share < 1 ? { rule: { share, least: Number(match[2]) } } : undefined;
}
