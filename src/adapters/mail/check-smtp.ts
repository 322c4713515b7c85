// Asks the mail server whether it is there and lets us in: connects, secures the line and signs in, sends nothing.
import { createTransport, type NodemailerError } from 'nodemailer';
import type { ProviderUrl } from '../../kernel/provider-url.ts';
import type { ProviderCheck } from '../../messages/provider-check.ts';
import { describe } from './smtp-outcome.ts';
import { poolOptions, usualWaits } from './smtp-pool.ts';

export function createSmtpCheck(url: ProviderUrl, ownHost: string): ProviderCheck {
  return {
    name: url.scheme,
    ask: async () => {
      try {
        const transport = createTransport(poolOptions(url, ownHost, usualWaits));
        await transport.verify().finally(() => transport.close());
        return { isGood: true, detail: url.id === '' ? 'the server answers' : 'the server lets us in' };
      } catch (error) {
        const isOfFile = (error as NodeJS.ErrnoException).syscall === 'open';
        return { isGood: false, cause: isOfFile ? 'dkim_key_file cannot be read' : describe(error as NodemailerError) };
      }
    },
  };
}
