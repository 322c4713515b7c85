// Use case: write the text of an outbox message. The code or link is derived here and is never stored.
import { unreachable } from '../kernel/text/closed-list.ts';
import type { OutgoingMessage } from '../messages/delivery/sender.ts';
import type { Message, MessageOf } from '../messages/message-kinds.ts';
import {
  writeBindingMail,
  writeLoginLinkMail,
  writeNoticeMail,
  writeProofMail,
  writeReplacedMail,
} from '../messages/texts/mail-text.ts';
import type { MessageLook } from '../messages/texts/message-look.ts';
import { writeNoticeSms, writeSms } from '../messages/texts/sms-text.ts';
import { type CodeSubject, codeKeys, deriveCode } from './codes/challenge.ts';
import { findTestRecipient } from './codes/test-recipient.ts';
import type { AuthDeps } from './deps.ts';
import { parseEmailAddress } from './identity/email-address.ts';
import { readOwnPhone } from './identity/own-phone.ts';
import { deriveLinkToken, hashLinkToken } from './links/login-link.ts';
import { deriveNoticeToken } from './notices/notice.ts';

type Deps = Pick<
  AuthDeps,
  'clock' | 'secrets' | 'links' | 'bindings' | 'notices' | 'linkLifeSeconds' | 'testRecipients' | 'brake' | 'phoneTypes'
> & {
  /** The name of the operator's product. */
  readonly brand: string;
  readonly look: MessageLook;
  readonly host: string;
  readonly loginLinkUrl: string;
  /** The page that the link of a notice opens. */
  readonly notMeUrl: string;
};

/** Undefined if no message is to be sent: no user owns the address, it is taken, or the secret is no longer configured. */
export async function writeMessage(deps: Deps, message: Message): Promise<OutgoingMessage | undefined> {
  switch (message.kind) {
    case 'phone-login':
      return writePhoneLogin(deps, message);
    case 'proof-phone':
    case 'phone-change':
      return writeUserSmsCode(deps, message);
    case 'proof-email':
      return writeEmailProof(deps, message);
    case 'login-link':
      return writeLoginLink(deps, message);
    case 'email-binding':
      return writeBinding(deps, message);
    case 'email-replaced':
      return writeReplaced(deps, message);
    case 'notice':
      return writeNotice(deps, message);
    case 'notice-sms':
      return writeSmsNotice(deps, message);
    default:
      return unreachable(message);
  }
}

function envelopeOf({ id, createdAt }: Message): Pick<OutgoingMessage, 'id' | 'createdAt'> {
  return { id, createdAt };
}

function writePhoneLogin(deps: Deps, message: MessageOf<'phone-login'>): OutgoingMessage | undefined {
  return writeSmsCode(deps, message, { purpose: message.kind, recipient: message.payload.to });
}

/** The code for a new number goes to any number, even one with an account: its holder must prove it. */
function writeUserSmsCode(
  deps: Deps,
  message: MessageOf<'proof-phone'> | MessageOf<'phone-change'>,
): OutgoingMessage | undefined {
  const { to, userId } = message.payload;
  return writeSmsCode(deps, message, { purpose: message.kind, recipient: to, userId });
}

function writeSmsCode(
  deps: Deps,
  message: MessageOf<'phone-login'> | MessageOf<'proof-phone'> | MessageOf<'phone-change'>,
  subject: CodeSubject,
): OutgoingMessage | undefined {
  const { to, language, challenge, expiresAt } = message.payload;
  const code = deriveCode(codeKeys(deps.secrets), challenge, subject);
  if (code === undefined) return undefined;
  const values = { brand: deps.brand, host: deps.host, code, minutes: minutesLeft(deps, expiresAt) };
  return { ...envelopeOf(message), to, text: writeSms(language, values, deps.look.texts) };
}

async function writeLoginLink(deps: Deps, message: MessageOf<'login-link'>): Promise<OutgoingMessage | undefined> {
  const { to, language, secretId, nonce, browserHash, authorizationTicket } = message.payload;
  const token = deriveLinkToken(deps.secrets, secretId, message.id, nonce);
  if (token === undefined) return undefined;
  const lifeSeconds = deps.linkLifeSeconds;
  const owner = await deps.links.issueLink({
    emailKey: parseEmailAddress(to).key,
    tokenHash: hashLinkToken(token),
    browserHash,
    authorizationTicket,
    lifeSeconds,
    requestedAt: message.createdAt,
    now: deps.clock.now(),
  });
  if (owner === undefined) return undefined;
  const mail = writeLoginLinkMail(
    language,
    { brand: deps.brand, minutes: Math.max(1, Math.floor(lifeSeconds / 60)) },
    `${deps.loginLinkUrl}#${token}`,
    deps.look,
  );
  return { ...envelopeOf(message), to: owner.address, ...mail };
}

async function writeBinding(deps: Deps, message: MessageOf<'email-binding'>): Promise<OutgoingMessage | undefined> {
  const { to, address, userId, language, challenge, expiresAt } = message.payload;
  if ((await deps.bindings.findOwner(parseEmailAddress(to).key)) !== undefined) return undefined;
  const subject = { purpose: message.kind, recipient: to, userId };
  const code = deriveCode(codeKeys(deps.secrets), challenge, subject);
  if (code === undefined) return undefined;
  const values = { brand: deps.brand, code, minutes: minutesLeft(deps, expiresAt) };
  return { ...envelopeOf(message), to: address, ...writeBindingMail(language, values, deps.look) };
}

/** Only to the owner: the address may have been replaced after the code was requested. */
async function writeEmailProof(deps: Deps, message: MessageOf<'proof-email'>): Promise<OutgoingMessage | undefined> {
  const { to, address, userId, language, challenge, expiresAt } = message.payload;
  if ((await deps.bindings.findOwner(parseEmailAddress(to).key)) !== userId) return undefined;
  const code = deriveCode(codeKeys(deps.secrets), challenge, { purpose: message.kind, recipient: to, userId });
  if (code === undefined) return undefined;
  const values = { brand: deps.brand, code, minutes: minutesLeft(deps, expiresAt) };
  return { ...envelopeOf(message), to: address, ...writeProofMail(language, values, deps.look) };
}

function writeReplaced({ brand, look }: Deps, message: MessageOf<'email-replaced'>): OutgoingMessage {
  const { to, language } = message.payload;
  return { ...envelopeOf(message), to, ...writeReplacedMail(language, { brand }, look) };
}

function writeNotice(deps: Deps, message: MessageOf<'notice'>): OutgoingMessage | undefined {
  const { to, language, topic, link, account, device, number, isFinal, at } = message.payload;
  const token = deriveNoticeToken(deps.secrets, message.id, link);
  const isTest = findTestRecipient(deps.testRecipients, to.toLowerCase(), deps.clock.now()) !== undefined;
  if (token === undefined || isTest) return undefined;
  const mail = writeNoticeMail(
    language,
    topic,
    { brand: deps.brand, account, device, number, isFinal, at },
    `${deps.notMeUrl}#${token}`,
    deps.look,
  );
  return { ...envelopeOf(message), to, ...mail };
}

async function writeSmsNotice(deps: Deps, message: MessageOf<'notice-sms'>): Promise<OutgoingMessage | undefined> {
  const { to, language, topic, link } = message.payload;
  const token = deriveNoticeToken(deps.secrets, message.id, link);
  const now = deps.clock.now();
  const own = readOwnPhone(deps, to, now);
  if (token === undefined || own === undefined || own.isTest) return undefined;
  const { phone, country } = own;
  const { id: messageId, createdAt } = message;
  const check = { phone, country, policy: deps.brake, topic, messageId, createdAt, now };
  if (!(await deps.notices.admitNoticeSms(check))) return undefined;
  const values = { brand: deps.brand, url: `${deps.notMeUrl}#${token}` };
  const text = writeNoticeSms(language, topic, values, deps.look.texts);
  return { ...envelopeOf(message), to, text };
}

function minutesLeft({ clock }: Deps, expiresAt: number): number {
  return Math.max(1, Math.round((expiresAt - clock.now()) / 60_000));
}
