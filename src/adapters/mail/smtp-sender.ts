// Sends e-mail by SMTP over pooled connections, and distinguishes mail that was not sent from mail that may have been.
import type { Readable } from 'node:stream';
import { createTransport, type MailMessage, type SendMailOptions } from 'nodemailer';
import type { ProviderUrl } from '../../kernel/net/provider-url.ts';
import type { OutgoingMessage, Sender, SendOutcome } from '../../messages/delivery/sender.ts';
import { judge } from './smtp-outcome.ts';
import { mostConnections, poolOptions, type SmtpWaits, usualWaits } from './smtp-pool.ts';

/** One message in transit. nodemailer's errors do not show whether the connection failed before or after DATA; the body stream does. */
type Transmission = { body: Readable | undefined; isWithdrawn: boolean };

type WatchedMail = SendMailOptions & { readonly transmission: Transmission };

export function createSmtpSender(url: ProviderUrl, from: string, host: string, waits: SmtpWaits = usualWaits): Sender {
  const transport = createTransport(poolOptions(url, host, waits));
  transport.use('stream', watchBody);
  const send = (message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome> => {
    const transmission: Transmission = { body: undefined, isWithdrawn: false };
    const mail: WatchedMail = { ...writeMail(message, from, host), transmission };
    return new Promise((resolve) => {
      const giveUp = () => resolve(withdraw(transmission));
      const end = (outcome: SendOutcome) => {
        signal.removeEventListener('abort', giveUp);
        resolve(outcome);
      };
      if (signal.aborted) return giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      transport.sendMail(mail, (error) =>
        end(error === null ? { kind: 'accepted' } : judge(error, hasLeft(transmission))),
      );
    });
  };
  return { name: 'smtp', channel: 'mail', mostAtOnce: mostConnections, send, close: async () => transport.close() };
}

function writeMail(
  { id, to, subject, text, html, createdAt }: OutgoingMessage,
  from: string,
  host: string,
): SendMailOptions {
  // An object, also in the envelope, because nodemailer splits a string into several addresses.
  const recipient = { address: to, name: '' };
  return {
    envelope: { from: { address: bareAddress(from), name: '' }, to: [recipient] },
    from,
    to: recipient,
    subject,
    text,
    html,
    date: new Date(createdAt),
    messageId: `<${id}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}

function bareAddress(from: string): string {
  return (/<([^<>]*)>\s*$/.exec(from)?.[1] ?? from).trim();
}

/** nodemailer reads the body only after the server accepts DATA. A withdrawn body is never read. */
function watchBody({ data, message }: MailMessage, done: () => void): void {
  const { transmission } = data as WatchedMail;
  const open = message.createReadStream.bind(message);
  message.createReadStream = (options) => {
    const body = open(options);
    body.on('error', () => undefined);
    transmission.body = body;
    if (transmission.isWithdrawn) body.destroy(new Error('withdrawn'));
    return body;
  };
  done();
}

function hasLeft({ body }: Transmission): boolean {
  return body?.readableDidRead === true;
}

function withdraw(transmission: Transmission): SendOutcome {
  if (hasLeft(transmission)) return { kind: 'doubtful', error: 'time-out' };
  transmission.isWithdrawn = true;
  // Without the final line the server drops the message (RFC 5321, 4.1.1.4). The pool gets the connection back.
  transmission.body?.destroy(new Error('withdrawn'));
  return { kind: 'refused', error: 'time-out' };
}
