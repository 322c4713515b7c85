// Turns an SMTP error into the outcome for the message.
import type { NodemailerError } from 'nodemailer';
import type { SendOutcome } from '../../messages/delivery/sender.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNECTION: 'connection lost',
  ECONNRESET: 'connection lost',
  EDNS: 'name not found',
  ENOTFOUND: 'name not found',
  ETIMEDOUT: 'time-out',
};

/** `hasLeft`: the server may have received the body. Then only its answer to DATA is certain. */
export function judge(error: NodemailerError, hasLeft: boolean): SendOutcome {
  const { code, command, responseCode = 0, permanent } = error;
  const isVerdict = command === 'DATA' && responseCode >= 400;
  if (hasLeft && !isVerdict) return { kind: 'doubtful', error: describe(error) };
  const isUnfit = code === 'EENVELOPE' && command === 'API';
  const isHopeless = isUnfit || (permanent === true && (command === 'RCPT TO' || command === 'DATA'));
  if (isHopeless) return { kind: 'hopeless', error: describe(error) };
  // 421: the server closes the connection, whoever the recipient is (RFC 5321, 4.2.1).
  const isOfRecipient = command === 'RCPT TO' && responseCode >= 400 && responseCode !== 421;
  return { kind: 'refused', error: describe(error), ...(isOfRecipient && { isOfRecipient }) };
}

/** Never includes the server's text, because it may repeat the e-mail address. */
export function describe({ code = '', command, responseCode, originalCode = '' }: NodemailerError): string {
  if (code === 'ETLS') return 'the server does not offer STARTTLS, so nothing was sent';
  if (responseCode !== undefined) return `SMTP ${responseCode} at ${command}`;
  return reasons[originalCode] ?? reasons[code] ?? `connection failed: ${originalCode || code || 'closed'}`;
}
