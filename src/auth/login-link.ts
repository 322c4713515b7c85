// Login links: a random token in the link's fragment; the store holds only its hash.
import { hmacSha256, sha256 } from '../kernel/digest.ts';
import type { Secrets } from '../kernel/secrets.ts';

/** The newest so many stay usable, so that a slow mail is not dead on arrival. */
export const liveLinksPerUser = 3;

export type LinkStore = {
  /** Makes a link for whoever owns the address, and ends all but the newest; undefined when nobody does. */
  issueLink(input: {
    emailKey: string;
    tokenHash: string;
    browserHash: string;
    lifeSeconds: number;
    requestedAt: number;
    now: number;
  }): Promise<{ address: string } | undefined>;
  /** Whose link it is, without using it up; undefined when it is not valid. */
  findLink(input: {
    tokenHash: string;
    now: number;
  }): Promise<{ address: string; browserHash: string; isExpired: boolean } | undefined>;
};

/** 32 bytes that only the mail carries. Derived from the message's own random nonce, so that a repeated delivery repeats the link. */
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
