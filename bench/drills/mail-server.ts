// The SMTP server of the drills: puts mails into the mailboxes of the people, or refuses them as real servers do.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Phones } from './phones.ts';

export type MailServer = {
  readonly port: number;
  /** The answer to the next mails, until it is undefined again. */
  refusal: { readonly code: number; readonly text: string } | undefined;
  /** Takes mails, delivers them and never says so. */
  isMute: boolean;
  close(): Promise<void>;
};

export async function openMailServer(phones: Phones): Promise<MailServer> {
  const mood: Pick<MailServer, 'refusal' | 'isMute'> = { refusal: undefined, isMute: false };
  const server = new SMTPServer({
    logger: false,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    onAuth: (_auth, _session, done) => done(null, { user: 'anyone' }),
    onRcptTo(_address, _session, done) {
      if (mood.refusal === undefined) return done();
      done(Object.assign(new Error(mood.refusal.text), { responseCode: mood.refusal.code }));
    },
    onData(stream, { envelope }, done) {
      const deliver = async (chunks: Buffer[]) => {
        const { messageId = '', text = '', subject = '' } = await PostalMime.parse(Buffer.concat(chunks));
        for (const { address } of envelope.rcptTo)
          phones.receive({ id: messageId, to: address, text: `${subject}\n${text}`, by: 'mail' });
        if (!mood.isMute) done();
      };
      // A mail that breaks off is none.
      void stream.toArray().then(deliver, done);
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return Object.assign(mood, {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}
