// The registry of providers. A new provider is one file and one line here; settings, checks, metrics and docs follow from it.
import type { CaptchaProvider } from '../abuse/captcha-provider.ts';
import type { ScanProvider } from '../files/uploads/scan-provider.ts';
import { findProvider, type SchemeOf } from '../kernel/net/provider.ts';
import type { Channel, PerChannel } from '../messages/channel.ts';
import type { MailProvider, SmsProvider } from '../messages/delivery/message-provider.ts';
import { altcha } from './captcha/altcha.ts';
import { hcaptcha } from './captcha/hcaptcha.ts';
import { open } from './captcha/open.ts';
import { recaptcha } from './captcha/recaptcha.ts';
import { turnstile } from './captcha/turnstile.ts';
import { mailInbox, smsInbox } from './inbox/inbox.ts';
import { smtp } from './mail/smtp.ts';
import { s3 } from './s3/s3.ts';
import { clamd } from './scan/clamd.ts';
import { twilio } from './sms/twilio.ts';
import { vonage } from './sms/vonage.ts';
import { webhook } from './sms/webhook.ts';
import type { StorageProvider } from './storage-provider.ts';

/** SMS_URL. */
export const smsProviders = [smsInbox, webhook, twilio, vonage] as const satisfies readonly SmsProvider[];

/** MAIL_URL. */
export const mailProviders = [mailInbox, smtp] as const satisfies readonly MailProvider[];

/** By what each channel may be carried. */
const messageProviders = {
  sms: smsProviders,
  mail: mailProviders,
} as const satisfies PerChannel<readonly (SmsProvider | MailProvider)[]>;

/** CAPTCHA_URL. */
export const captchaProviders = [
  altcha,
  open,
  turnstile,
  hcaptcha,
  recaptcha,
] as const satisfies readonly CaptchaProvider[];

/** STORAGE_URL. */
export const storageProviders = [s3] as const satisfies readonly StorageProvider[];

/** SCAN_URL. */
export const scanProviders = [clamd] as const satisfies readonly ScanProvider[];

export type SmsScheme = SchemeOf<(typeof smsProviders)[number]>;
export type MailScheme = SchemeOf<(typeof mailProviders)[number]>;
export type CaptchaScheme = SchemeOf<(typeof captchaProviders)[number]>;
export type StorageScheme = SchemeOf<(typeof storageProviders)[number]>;
export type ScanScheme = SchemeOf<(typeof scanProviders)[number]>;

/** The values of the metric label `provider`. `outbox` stands for decisions of the service itself. */
type MessageProviderName = (typeof messageProviders)[Channel][number]['name'] | 'outbox';

export const messageProviderNames: readonly MessageProviderName[] = [
  ...new Set(Object.values(messageProviders).flatMap((some) => some.map(({ name }) => name))),
  'outbox',
];

export function findSmsProvider(scheme: SmsScheme): SmsProvider {
  return findProvider<SmsProvider>(smsProviders, scheme);
}

export function findMailProvider(scheme: MailScheme): MailProvider {
  return findProvider<MailProvider>(mailProviders, scheme);
}

export function findCaptchaProvider(scheme: CaptchaScheme): CaptchaProvider {
  return findProvider<CaptchaProvider>(captchaProviders, scheme);
}

export function findStorageProvider(scheme: StorageScheme): StorageProvider {
  return findProvider<StorageProvider>(storageProviders, scheme);
}

export function findScanProvider(scheme: ScanScheme): ScanProvider {
  return findProvider<ScanProvider>(scanProviders, scheme);
}
