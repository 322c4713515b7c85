// The providers that SMS_URL, MAIL_URL and CAPTCHA_URL name, and which of them are fit for production.
import { isElsewhere } from '../kernel/loopback.ts';
import { type ProviderUrl, parseProviderUrl } from '../kernel/provider-url.ts';
import type { EnvReader } from './env-reader.ts';

export type ProviderConfig = {
  readonly sms: { providers: readonly ProviderUrl[]; webhookSecret: string | undefined; isInbox: boolean };
  readonly mail: { provider: ProviderUrl; from: string | undefined; isInbox: boolean };
  readonly captcha: ProviderUrl;
};

export type Surroundings = {
  readonly isProduction: boolean;
  /** ALLOW_INSECURE: what is not fit for production is let through with a warning. */
  readonly allowsInsecure: boolean;
  readonly warnings: string[];
};

const smsSchemes = ['inbox', 'webhook+https', 'webhook+http', 'twilio', 'vonage'];
const mailSchemes = ['inbox', 'smtp', 'smtps'];
const captchaSchemes = ['altcha', 'open', 'turnstile', 'hcaptcha', 'recaptcha'];

const plainCure = 'write webhook+https://…, or add tls=off to the query where nobody else is on the way';

const smsCure = 'write webhook+https://…, twilio://SID:TOKEN@?from=… or vonage://KEY:SECRET@?from=…';

export function readProviders(reader: EnvReader, surroundings: Surroundings): ProviderConfig {
  const { isProduction, allowsInsecure } = surroundings;
  const inbox = plain('inbox');
  const sms = reader.parsed<readonly ProviderUrl[]>('SMS_URL', [inbox], parseSms, `${smsCure}, or inbox:`);
  const mail = reader.parsed(
    'MAIL_URL',
    inbox,
    (text) => parseOne(text, mailSchemes),
    'write smtp://user:password@host:587 or smtps://…',
  );
  const captcha = reader.parsed(
    'CAPTCHA_URL',
    plain(isProduction ? 'altcha' : 'open'),
    (text) => parseOne(text, captchaSchemes),
    'write altcha:, open:, turnstile://SITEKEY:SECRET, hcaptcha://… or recaptcha://…',
  );
  const from = readMailFrom(reader, mail.scheme !== 'inbox' || (isProduction && !allowsInsecure));
  for (const { host } of sms.filter(isRefusedPlain))
    reader.report('SMS_URL', `would send codes to ${host} in plain text`, plainCure);
  const isInbox = sms.some(({ scheme }) => scheme === 'inbox');
  refuseInsecure(reader, surroundings, 'SMS_URL', isInbox, smsCure);
  refuseInsecure(reader, surroundings, 'MAIL_URL', mail.scheme === 'inbox', 'write smtp://user:password@host:587');
  refuseInsecure(reader, surroundings, 'CAPTCHA_URL', captcha.scheme === 'open', 'write altcha:, or leave it out');
  return {
    sms: { providers: sms, webhookSecret: reader.text('SMS_WEBHOOK_SECRET'), isInbox },
    mail: { provider: mail, from, isInbox: mail.scheme === 'inbox' },
    captcha,
  };
}

function readMailFrom(reader: EnvReader, isRequired: boolean): string | undefined {
  const cure = 'write name@example.com or Name <name@example.com>';
  const from = reader.parsed<string | undefined>(
    'MAIL_FROM',
    undefined,
    (text) => (/^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text) ? text : undefined),
    cure,
  );
  if (isRequired && reader.text('MAIL_FROM') === undefined) reader.report('MAIL_FROM', 'is required', cure);
  return from;
}

function refuseInsecure(
  reader: EnvReader,
  { isProduction, allowsInsecure, warnings }: Surroundings,
  name: 'SMS_URL' | 'MAIL_URL' | 'CAPTCHA_URL',
  isInsecure: boolean,
  cure: string,
): void {
  if (!isProduction || !isInsecure || reader.hasProblem(name, `${name}_FILE`)) return;
  if (allowsInsecure) warnings.push(`${name} is not fit for production; ALLOW_INSECURE lets it through.`);
  else {
    const isMissing = reader.text(name) === undefined;
    reader.report(name, isMissing ? 'is required in production' : 'is refused in production', cure);
  }
}

/** Another machine, and nobody has said that this is meant. */
function isRefusedPlain({ scheme, host, query }: ProviderUrl): boolean {
  return scheme === 'webhook+http' && query.tls !== 'off' && isElsewhere(host);
}

/** Several, separated by spaces, are tried in order. */
function parseSms(text: string): ProviderUrl[] | undefined {
  const urls = text.split(/\s+/).map((part) => parseOne(part, smsSchemes));
  return urls.every((url) => url !== undefined) ? urls : undefined;
}

function parseOne(text: string, schemes: readonly string[]): ProviderUrl | undefined {
  const url = parseProviderUrl(text);
  return url !== undefined && schemes.includes(url.scheme) && isComplete(url) ? url : undefined;
}

/** What a provider cannot work without is asked for at the start, not found missing by the first person who signs in. */
function isComplete({ scheme, id, secret, host, path, query }: ProviderUrl): boolean {
  switch (scheme) {
    case 'inbox':
    case 'altcha':
    case 'open':
      return id === '' && host === '' && path === '';
    case 'twilio':
    case 'vonage':
      return id !== '' && secret !== '' && (query.from ?? '') !== '';
    case 'webhook+https':
    case 'webhook+http':
      return URL.canParse(`http://${host}`);
    case 'smtp':
    case 'smtps':
      return URL.canParse(`http://${host}`) && isWholeDkim(query) && isTlsWord(scheme, query.tls);
    case 'turnstile':
    case 'hcaptcha':
    case 'recaptcha':
      return id !== '' && secret !== '' && isVerifyQuery(query);
    default:
      return false;
  }
}

function isVerifyQuery({ verify, score, hostname, action }: ProviderUrl['query']): boolean {
  const isAddress = verify === undefined || (URL.canParse(verify) && /^https?:$/.test(new URL(verify).protocol));
  const isScore = score === undefined || /^(0(\.\d{1,3})?|1(\.0{1,3})?)$/.test(score);
  return isAddress && isScore && hostname !== '' && action !== '';
}

/** With smtps there is nothing to leave off. */
function isTlsWord(scheme: string, word: string | undefined): boolean {
  return word === undefined || word === 'require' || (word === 'off' && scheme === 'smtp');
}

/** All three of them, or none. */
function isWholeDkim(query: ProviderUrl['query']): boolean {
  const given = [query.dkim_domain, query.dkim_selector, query.dkim_key_file].filter((value) => (value ?? '') !== '');
  return given.length === 0 || given.length === 3;
}

function plain(scheme: string): ProviderUrl {
  return { scheme, id: '', secret: '', host: '', path: '', query: {} };
}
