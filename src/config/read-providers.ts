// Reads the providers that SMS_URL, MAIL_URL, CAPTCHA_URL and SCAN_URL name, and refuses the ones that are not fit for production.
import {
  type CaptchaScheme,
  captchaProviders,
  findCaptchaProvider,
  findMailProvider,
  findSmsProvider,
  type MailScheme,
  mailProviders,
  type ScanScheme,
  type SmsScheme,
  scanProviders,
  smsProviders,
} from '../adapters/providers.ts';
import type { ScanPolicy } from '../files/uploads/scanner.ts';
import { formsOf, listForms, type Provider, readProviderUrl } from '../kernel/net/provider.ts';
import { type ProviderUrl, parseRate } from '../kernel/net/provider-url.ts';
import type { PerChannel } from '../messages/channel.ts';
import type { EnvReader } from './env-reader.ts';

export type ProviderConfig = {
  readonly sms: { providers: readonly ProviderUrl<SmsScheme>[]; webhookSecret: string | undefined };
  readonly mail: { provider: ProviderUrl<MailScheme>; from: string | undefined };
  /** Whether messages of the channel stay in the inbox. */
  readonly isInbox: PerChannel<boolean>;
  readonly captcha: ProviderUrl<CaptchaScheme>;
  readonly scan: { provider: ProviderUrl<ScanScheme> | undefined; policy: ScanPolicy };
};

type ProviderContext = {
  readonly isProduction: boolean;
  /** ALLOW_INSECURE: accepts providers that are not fit for production, with a warning. */
  readonly allowsInsecure: boolean;
  readonly warnings: string[];
};

export function readProviders(reader: EnvReader, context: ProviderContext): ProviderConfig {
  const { isProduction, allowsInsecure } = context;
  const sms = readSms(reader, context);
  const mail = readMail(reader, context);
  const captcha = readCaptcha(reader, context);
  const from = readMailFrom(reader, mail.scheme !== 'inbox' || (isProduction && !allowsInsecure));
  return {
    sms: { providers: sms, webhookSecret: reader.text('SMS_WEBHOOK_SECRET') },
    mail: { provider: mail, from },
    isInbox: { sms: sms.some(({ scheme }) => scheme === 'inbox'), mail: mail.scheme === 'inbox' },
    captcha,
    scan: { provider: readScan(reader), policy: reader.choice('SCAN_FAIL', 'closed', ['closed', 'open'] as const) },
  };
}

/** The providers are separated by spaces and tried in order. */
function readSms(reader: EnvReader, context: ProviderContext): readonly ProviderUrl<SmsScheme>[] {
  const cure = `write ${listForms(fitForProduction(smsProviders))}`;
  const urls = reader.parsed<readonly ProviderUrl<SmsScheme>[]>(
    'SMS_URL',
    [plain('inbox')],
    (text) => {
      const found = text.split(/\s+/).map((part) => readProviderUrl(smsProviders, part));
      return found.every((url) => url !== undefined) ? found : undefined;
    },
    `${cure}, or inbox:`,
  );
  for (const url of urls) {
    const problem = findSmsProvider(url.scheme).refuse?.(url);
    if (problem !== undefined) reader.report('SMS_URL', problem.trouble, problem.cure);
    refuseBadRate(reader, 'SMS_URL', url);
  }
  const isLocalOnly = urls.some(({ scheme }) => findSmsProvider(scheme).isLocalOnly);
  refuseInsecure(reader, context, 'SMS_URL', isLocalOnly, cure);
  return urls;
}

function readMail(reader: EnvReader, context: ProviderContext): ProviderUrl<MailScheme> {
  const fit = fitForProduction(mailProviders);
  const [usual = ''] = formsOf(fit);
  const url = reader.parsed<ProviderUrl<MailScheme>>(
    'MAIL_URL',
    plain('inbox'),
    (text) => readProviderUrl(mailProviders, text),
    `write ${listForms(fit)}`,
  );
  refuseBadRate(reader, 'MAIL_URL', url);
  refuseInsecure(reader, context, 'MAIL_URL', findMailProvider(url.scheme).isLocalOnly, `write ${usual}`);
  return url;
}

function refuseBadRate(reader: EnvReader, name: 'SMS_URL' | 'MAIL_URL', { query: { rate } }: ProviderUrl): void {
  if (rate !== undefined && parseRate(rate) === undefined)
    reader.report(name, 'announces a rate that is no number', 'write ?rate=50 for 50 messages per second and process');
}

function readCaptcha(reader: EnvReader, context: ProviderContext): ProviderUrl<CaptchaScheme> {
  const url = reader.parsed<ProviderUrl<CaptchaScheme>>(
    'CAPTCHA_URL',
    plain(context.isProduction ? 'altcha' : 'open'),
    (text) => readProviderUrl(captchaProviders, text),
    `write ${listForms(captchaProviders)}`,
  );
  const { isLocalOnly } = findCaptchaProvider(url.scheme);
  refuseInsecure(reader, context, 'CAPTCHA_URL', isLocalOnly, 'write altcha:, or leave it out');
  return url;
}

function readScan(reader: EnvReader): ProviderUrl<ScanScheme> | undefined {
  return reader.parsed<ProviderUrl<ScanScheme> | undefined>(
    'SCAN_URL',
    undefined,
    (text) => readProviderUrl(scanProviders, text),
    `write ${listForms(scanProviders)}, or leave it out`,
  );
}

function fitForProduction(providers: readonly Provider[]): readonly Provider[] {
  return providers.filter(({ isLocalOnly }) => !isLocalOnly);
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
  { isProduction, allowsInsecure, warnings }: ProviderContext,
  name: 'SMS_URL' | 'MAIL_URL' | 'CAPTCHA_URL',
  isInsecure: boolean,
  cure: string,
): void {
  if (!isProduction || !isInsecure || reader.hasProblem(name, `${name}_FILE`)) return;
  if (allowsInsecure) warnings.push(`${name} is not fit for production. ALLOW_INSECURE permits it.`);
  else {
    const isMissing = reader.text(name) === undefined;
    reader.report(name, isMissing ? 'is required in production' : 'is refused in production', cure);
  }
}

function plain<Scheme extends string>(scheme: Scheme): ProviderUrl<Scheme> {
  return { scheme, id: '', secret: '', host: '', path: '', query: {} };
}
