// Sign-in links: the fragment of the URL holds a random token. The store holds only its hash.

import { hmacSha256, sha256 } from '../../kernel/crypto/digest.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import type { EmailAddress, EmailKey } from '../../kernel/recipient.ts';

/** Several recent links stay valid, so that a delayed mail still works after a newer request. */
export const liveLinksPerUser = 3;

/** How long after its end a link is still recognised as expired, not unknown. */
const keptSeconds = 86_400;

/** The store keeps these values. */
export const linkStates = ['issued', 'consumed', 'superseded'] as const;

export type LinkState = (typeof linkStates)[number];

/** The sign-in of an app that the link goes on with: a text that means nothing here. Undefined if there is none. */
export type LinkTarget = { readonly authorizationTicket: string | undefined };

/** A link as the store keeps it. The state of a later version is undefined. */
export type LinkRecord = {
  readonly state: LinkState | undefined;
  readonly emailKey: EmailKey;
  readonly expiresAt: number;
};

/** The user whom a link was sent to, and the address that signs them in now. */
export type LinkOwner = { readonly emailKey: EmailKey | undefined };

/** lost: unknown, used, superseded, or sent to an address that no longer signs its user in. */
export function judgeLink(
  link: LinkRecord | undefined,
  owner: LinkOwner | undefined,
  now: number,
): 'lost' | 'expired' | 'valid' {
  if (link?.state !== 'issued' || owner === undefined || owner.emailKey !== link.emailKey) return 'lost';
  return now >= link.expiresAt ? 'expired' : 'valid';
}

/** The links of one user that a newer one supersedes. `requestedAt`: when the user asked, in whatever order mails are delivered. */
export function chooseSuperseded<Link extends Pick<LinkRecord, 'state'> & { readonly requestedAt: number }>(
  links: readonly Link[],
): Link[] {
  return links
    .filter(({ state }) => state === 'issued')
    .sort((a, b) => b.requestedAt - a.requestedAt)
    .slice(liveLinksPerUser);
}

/** When a link that is issued now ends, and when it may be forgotten. */
export function linkTimes(lifeSeconds: number, now: number): { expiresAt: number; keptUntil: number } {
  const expiresAt = now + lifeSeconds * 1000;
  return { expiresAt, keptUntil: expiresAt + keptSeconds * 1000 };
}

export type LinkStore = {
  /** Creates a link for the owner of the address, and supersedes all but the newest links. Undefined if no user owns it. */
  issueLink(input: {
    emailKey: EmailKey;
    tokenHash: string;
    browserHash: string;
    authorizationTicket?: string | undefined;
    lifeSeconds: number;
    requestedAt: number;
    now: number;
  }): Promise<{ address: EmailAddress } | undefined>;
  /** The owner's address, without consuming the link. Undefined if the link is not valid. */
  findLink(input: {
    tokenHash: string;
    now: number;
  }): Promise<({ address: EmailAddress; browserHash: string; isExpired: boolean } & LinkTarget) | undefined>;
};

/** 32 bytes that only the mail holds. Derived from the message's random nonce, so that a repeated delivery sends the same link. */
export function deriveLinkToken(
  secrets: Secrets,
  secretId: string,
  messageId: string,
  nonce: string,
): string | undefined {
  const key = secrets.findKey('sign-in link', secretId);
  return key === undefined ? undefined : hmacSha256(key, `${messageId}\n${nonce}`, 'base64url');
}

export function hashLinkToken(token: string): string {
  return sha256(token);
}

export function isLinkToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}
