// Use case: write the text of an outbox message. The code or link is derived here and is never stored.
import { unreachable } from '../kernel/closed-list.ts';
import { writeBindingMail, writeLoginLinkMail, writeReplacedMail } from '../messages/mail-text.ts';
import type { Message, MessageOf } from '../messages/message-kinds.ts';
import type { OutgoingMessage } from '../messages/sender.ts';
import { writeSms } from '../messages/sms-text.ts';
import { codeKeys, deriveCode } from './challenge.ts';
import type { AuthDeps } from './deps.ts';
import { deriveLinkToken, hashLinkToken } from './login-link.ts';

type Deps = Pick<AuthDeps, 'clock' | 'secrets' | 'links' | 'bindings' | 'linkLifeSeconds'> & {
  readonly brand: string;
  readonly host: string;
  readonly loginLinkUrl: string;
};

/** Undefined if no message is to be sent: no user owns the address, it is taken, or the secret is no longer configured. */
export async function writeMessage(deps: Deps, message: Message): Promise<OutgoingMessage | undefined> {
  switch (message.kind) {
    case 'phone-login':
      return writePhoneLogin(deps, message);
    case 'login-link':
      return writeLoginLink(deps, message);
    case 'email-binding':
      return writeBinding(deps, message);
    case 'email-replaced':
      return writeReplaced(deps, message);
    default:
      return unreachable(message);
  }
}

function envelopeOf({ id, createdAt }: Message): Pick<OutgoingMessage, 'id' | 'createdAt'> {
  return { id, createdAt };
}

function writePhoneLogin(deps: Deps, message: MessageOf<'phone-login'>): OutgoingMessage | undefined {
  const { to, language, challenge, expiresAt } = message.payload;
  const code = deriveCode(codeKeys(deps.secrets), challenge, { purpose: message.kind, recipient: to });
  if (code === undefined) return undefined;
  const values = { brand: deps.brand, host: deps.host, code, minutes: minutesLeft(deps, expiresAt) };
  return { ...envelopeOf(message), to, text: writeSms(language, values) };
}

async function writeLoginLink(deps: Deps, message: MessageOf<'login-link'>): Promise<OutgoingMessage | undefined> {
  const { to, language, secretId, nonce, browserHash } = message.payload;
  const token = deriveLinkToken(deps.secrets, secretId, message.id, nonce);
  if (token === undefined) return undefined;
  const lifeSeconds = deps.linkLifeSeconds;
  const owner = await deps.links.issueLink({
    emailKey: to,
    tokenHash: hashLinkToken(token),
    browserHash,
    lifeSeconds,
    requestedAt: message.createdAt,
    now: deps.clock.now(),
  });
  if (owner === undefined) return undefined;
  const mail = writeLoginLinkMail(
    language,
    { brand: deps.brand, minutes: Math.max(1, Math.floor(lifeSeconds / 60)) },
    `${deps.loginLinkUrl}#${token}`,
  );
  return { ...envelopeOf(message), to: owner.address, ...mail };
}

async function writeBinding(deps: Deps, message: MessageOf<'email-binding'>): Promise<OutgoingMessage | undefined> {
  const { to, address, userId, language, challenge, expiresAt } = message.payload;
  if ((await deps.bindings.findOwner(to)) !== undefined) return undefined;
  const subject = { purpose: message.kind, recipient: to, userId };
  const code = deriveCode(codeKeys(deps.secrets), challenge, subject);
  if (code === undefined) return undefined;
  const values = { brand: deps.brand, code, minutes: minutesLeft(deps, expiresAt) };
  return { ...envelopeOf(message), to: address, ...writeBindingMail(language, values) };
}

function writeReplaced({ brand }: Deps, message: MessageOf<'email-replaced'>): OutgoingMessage {
  const { to, language } = message.payload;
  return { ...envelopeOf(message), to, ...writeReplacedMail(language, { brand }) };
}

function minutesLeft({ clock }: Deps, expiresAt: number): number {
  return Math.max(1, Math.round((expiresAt - clock.now()) / 60_000));
}
