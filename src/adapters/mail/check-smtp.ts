// Checks the mail server: connects, starts TLS and signs in. It sends nothing.
import { createTransport, type NodemailerError } from 'nodemailer';
import type { ProviderUrl } from '../../kernel/net/provider-url.ts';
import type { ProviderCheck } from '../../messages/delivery/provider-check.ts';
import { describe } from './smtp-outcome.ts';
import { poolOptions, usualWaits } from './smtp-pool.ts';

export function createSmtpCheck(url: ProviderUrl, ownHost: string): ProviderCheck {
  return {
    name: url.scheme,
    ask: async () => {
      try {
        const transport = createTransport(poolOptions(url, ownHost, usualWaits));
        await transport.verify().finally(() => transport.close());
        return { isGood: true, detail: url.id === '' ? 'the server answers' : 'the server accepts the credentials' };
      } catch (error) {
        const isFileError = (error as NodeJS.ErrnoException).syscall === 'open';
        return {
          isGood: false,
          cause: isFileError ? 'dkim_key_file cannot be read' : describe(error as NodemailerError),
        };
      }
    },
  };
}
