// An SMTP server that requires a password and stores all mail, so that a test can read the mail of its users.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { waitUntil } from '../helpers/wait-until.ts';

export type PostOffice = {
  readonly port: number;
  /** Waits for that many mails to an e-mail address and returns the text of the newest. */
  newest(address: string, count: number): Promise<{ subject: string; text: string }>;
  close(): Promise<void>;
};

export async function openPostOffice(): Promise<PostOffice> {
  const arrived: { to: string; raw: Buffer }[] = [];
  const server = new SMTPServer({
    logger: false,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    onAuth: (_auth, _session, done) => done(null, { user: 'anyone' }),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        for (const { address } of envelope.rcptTo) arrived.push({ to: address, raw: Buffer.concat(chunks) });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    newest: async (address, count) => {
      const to = () => arrived.filter((mail) => mail.to === address);
      await waitUntil(`${count} mails to ${address}`, () => to().length >= count);
      const { subject = '', text = '' } = await PostalMime.parse(to().at(-1)?.raw ?? '');
      return { subject, text };
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
