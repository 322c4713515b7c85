// Use case: write the message that an outbox entry stands for; the code or link is derived here and exists nowhere else.
import { writeBindingMail, writeLoginLinkMail, writeReplacedMail } from '../messages/mail-text.ts';
import type { ClaimedMessage } from '../messages/outbox.ts';
import type { OutgoingMessage } from '../messages/sender.ts';
import { writeSms } from '../messages/sms-text.ts';
import { type ChallengeSeed, codeKeys, deriveCode } from './challenge.ts';
import type { AuthDeps } from './deps.ts';
import { deriveLinkToken, hashLinkToken } from './login-link.ts';

type Deps = Pick<AuthDeps, 'clock' | 'secrets' | 'links' | 'bindings' | 'linkLifeSeconds'> & {
  readonly brand: string;
  readonly host: string;
  readonly loginLinkUrl: string;
};

/** Undefined where nothing is to be sent: nobody owns the address, it is taken, or the secret is gone. */
export async function writeMessage(deps: Deps, message: ClaimedMessage): Promise<OutgoingMessage | undefined> {
  const envelope = { id: message.id, createdAt: message.createdAt };
  switch (message.kind) {
    case 'phone-login':
      return writePhoneLogin(deps, message, envelope);
    case 'login-link':
      return writeLoginLink(deps, message, envelope);
    case 'email-binding':
      return writeBinding(deps, message, envelope);
    case 'email-replaced':
      return {
        ...envelope,
        to: message.payload.to,
        ...writeReplacedMail(message.payload.language, { brand: deps.brand }),
      };
    default:
      // Of a newer version, say: tried again, maybe by a node that knows it, and parked in the end, never dropped.
      throw new Error(`no text for messages of the kind ${message.kind}`);
  }
}

type Envelope = Pick<OutgoingMessage, 'id' | 'createdAt'>;

function writePhoneLogin(
  deps: Deps,
  { payload, kind }: ClaimedMessage,
  envelope: Envelope,
): OutgoingMessage | undefined {
  const code = deriveCode(codeKeys(deps.secrets), payload.challenge as ChallengeSeed, {
    purpose: kind as 'phone-login',
    recipient: payload.to,
  });
  if (code === undefined) return undefined;
  const figures = { brand: deps.brand, host: deps.host, code, minutes: minutesLeft(deps, payload.expiresAt as number) };
  return { ...envelope, to: payload.to, text: writeSms(payload.language, figures) };
}

async function writeLoginLink(
  deps: Deps,
  { id, payload }: ClaimedMessage,
  envelope: Envelope,
): Promise<OutgoingMessage | undefined> {
  const token = deriveLinkToken(deps.secrets, payload.secretId as string, id, payload.nonce as string);
  if (token === undefined) return undefined;
  const lifeSeconds = deps.linkLifeSeconds;
  const owner = await deps.links.issueLink({
    emailKey: payload.to,
    tokenHash: hashLinkToken(token),
    browserHash: payload.browserHash as string,
    lifeSeconds,
    requestedAt: envelope.createdAt,
    now: deps.clock.now(),
  });
  if (owner === undefined) return undefined;
  const mail = writeLoginLinkMail(
    payload.language,
    { brand: deps.brand, minutes: Math.max(1, Math.floor(lifeSeconds / 60)) },
    `${deps.loginLinkUrl}#${token}`,
  );
  return { ...envelope, to: owner.address, ...mail };
}

async function writeBinding(
  deps: Deps,
  { payload }: ClaimedMessage,
  envelope: Envelope,
): Promise<OutgoingMessage | undefined> {
  const { to, address, userId } = payload as typeof payload & { address: string; userId: string };
  if ((await deps.bindings.findOwner(to)) !== undefined) return undefined;
  const code = deriveCode(codeKeys(deps.secrets), payload.challenge as ChallengeSeed, {
    purpose: 'email-binding',
    recipient: to,
    userId,
  });
  if (code === undefined) return undefined;
  const figures = { brand: deps.brand, code, minutes: minutesLeft(deps, payload.expiresAt as number) };
  return { ...envelope, to: address, ...writeBindingMail(payload.language, figures) };
}

function minutesLeft({ clock }: Deps, expiresAt: number): number {
  return Math.max(1, Math.round((expiresAt - clock.now()) / 60_000));
}
