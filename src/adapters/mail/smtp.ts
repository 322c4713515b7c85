// The SMTP mail provider and its URL grammar. It loads nodemailer together with the sender or the check.
import type { ProviderUrl } from '../../kernel/net/provider-url.ts';
import type { MailProvider } from '../../messages/delivery/message-provider.ts';

export const smtp = {
  name: 'smtp',
  schemes: ['smtp', 'smtps'],
  forms: ['smtp://user:password@host:587', 'smtps://…'],
  note: 'smtp:// requires STARTTLS for every host except this machine; ?tls=off sends in plain text',
  parameters: ['tls', 'rate', 'dkim_domain', 'dkim_selector', 'dkim_key_file'],
  bare: 'host',
  isLocalOnly: false,
  isComplete: (url) => URL.canParse(`http://${url.host}`) && isWholeDkim(url) && isTlsValid(url),
  plainHost: ({ scheme, host, query }) => (scheme === 'smtp' && query.tls === 'off' ? host : undefined),
  createSender: async (url, { from, ownHost }) => {
    const { createSmtpSender } = await import('./smtp-sender.ts');
    return createSmtpSender(url, from, ownHost);
  },
  createCheck: async (url, ownHost) => {
    const { createSmtpCheck } = await import('./check-smtp.ts');
    return createSmtpCheck(url, ownHost);
  },
} as const satisfies MailProvider;

/** `tls=off` makes no sense with smtps. */
function isTlsValid({ scheme, query: { tls } }: ProviderUrl): boolean {
  return tls === undefined || tls === 'require' || (tls === 'off' && scheme === 'smtp');
}

/** All three DKIM settings, or none. */
function isWholeDkim({ query }: ProviderUrl): boolean {
  const given = [query.dkim_domain, query.dkim_selector, query.dkim_key_file].filter((value) => (value ?? '') !== '');
  return given.length === 0 || given.length === 3;
}
