// Sends e-mail by SMTP over pooled connections, and tells what was surely not sent from what may have gone out.
import type { Readable } from 'node:stream';
import { createTransport, type MailMessage, type SendMailOptions } from 'nodemailer';
import type { ProviderUrl } from '../../kernel/provider-url.ts';
import type { OutgoingMessage, Sender, SendOutcome } from '../../messages/sender.ts';
import { judge } from './smtp-outcome.ts';
import { poolOptions, type SmtpWaits, usualWaits } from './smtp-pool.ts';

/** One message on its way. nodemailer's errors do not tell a loss before DATA from one after it; its body does. */
type Passage = { body: Readable | undefined; isWithdrawn: boolean };

type WatchedMail = SendMailOptions & { readonly passage: Passage };

export function createSmtpSender(url: ProviderUrl, from: string, host: string, waits: SmtpWaits = usualWaits): Sender {
  const transport = createTransport(poolOptions(url, host, waits));
  transport.use('stream', watchBody);
  const send = (message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome> => {
    const passage: Passage = { body: undefined, isWithdrawn: false };
    const mail: WatchedMail = { ...writeMail(message, from, host), passage };
    return new Promise((resolve) => {
      const giveUp = () => resolve(withdraw(passage));
      const end = (outcome: SendOutcome) => {
        signal.removeEventListener('abort', giveUp);
        resolve(outcome);
      };
      if (signal.aborted) return giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      transport.sendMail(mail, (error) => end(error === null ? { kind: 'accepted' } : judge(error, hasLeft(passage))));
    });
  };
  return { name: 'smtp', channel: 'mail', send, close: async () => transport.close() };
}

function writeMail(
  { id, to, subject, text, html, createdAt }: OutgoingMessage,
  from: string,
  host: string,
): SendMailOptions {
  // An object, in the envelope too: nodemailer looks for several addresses in a string.
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

/** The body is read only once the server has agreed to DATA; a withdrawn one is never read. */
function watchBody({ data, message }: MailMessage, done: () => void): void {
  const { passage } = data as WatchedMail;
  const open = message.createReadStream.bind(message);
  message.createReadStream = (options) => {
    const body = open(options);
    body.on('error', () => undefined);
    passage.body = body;
    if (passage.isWithdrawn) body.destroy(new Error('withdrawn'));
    return body;
  };
  done();
}

function hasLeft({ body }: Passage): boolean {
  return body?.readableDidRead === true;
}

function withdraw(passage: Passage): SendOutcome {
  if (hasLeft(passage)) return { kind: 'doubtful', error: 'time-out' };
  passage.isWithdrawn = true;
  // Without its last line the server drops the message (RFC 5321, 4.1.1.4), and the pool gets its place back.
  passage.body?.destroy(new Error('withdrawn'));
  return { kind: 'refused', error: 'time-out' };
}
