// Login links: the fragment of the URL holds a random token. The store holds only its hash.
import { hmacSha256, sha256 } from '../kernel/digest.ts';
import type { Secrets } from '../kernel/secrets.ts';

/** Several recent links stay valid, so that a delayed mail still works after a newer request. */
export const liveLinksPerUser = 3;

/** The store keeps these values. */
export type LinkState = 'issued' | 'consumed' | 'superseded';

export type LinkStore = {
  /** Creates a link for the owner of the address, and supersedes all but the newest links. Undefined if no user owns it. */
  issueLink(input: {
    emailKey: string;
    tokenHash: string;
    browserHash: string;
    lifeSeconds: number;
    requestedAt: number;
    now: number;
  }): Promise<{ address: string } | undefined>;
  /** The owner's address, without consuming the link. Undefined if the link is not valid. */
  findLink(input: {
    tokenHash: string;
    now: number;
  }): Promise<{ address: string; browserHash: string; isExpired: boolean } | undefined>;
};

/** 32 bytes that only the mail holds. Derived from the message's random nonce, so that a repeated delivery sends the same link. */
export function deriveLinkToken(
  secrets: Secrets,
  secretId: string,
  messageId: string,
  nonce: string,
): string | undefined {
  const key = secrets.findKey('login link', secretId);
  return key === undefined ? undefined : hmacSha256(key, `${messageId}\n${nonce}`, 'base64url');
}

export function hashLinkToken(token: string): string {
  return sha256(token);
}

export function isLinkToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}
