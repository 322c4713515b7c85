// Authorization tickets: carry the request of an app through the sign-in page, a sign-in link and a consent. The service stores none.

import { seal, unseal } from '../../kernel/crypto/seal.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import { asRecord } from '../../kernel/text/as-record.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** The request, and when it reached us: a proof or a consent that it asks for must be later. */
export type AuthorizationTicket = { readonly request: AuthorizationRequest; readonly startedAt: number };

export const ticketLifeSeconds = 3600;

export function writeAuthorizationTicket(secrets: Secrets, ticket: AuthorizationTicket): string {
  return seal(secrets, 'authorization ticket', Buffer.from(JSON.stringify(ticket)));
}

/** Undefined if the ticket is forged, expired, or from a secret that is no longer configured. The app may have been removed since. */
export function readAuthorizationTicket(secrets: Secrets, text: string, now: number): AuthorizationTicket | undefined {
  const content = unseal(secrets, 'authorization ticket', text);
  if (content === undefined) return undefined;
  const { request, startedAt } = asRecord(JSON.parse(content.toString()));
  if (typeof startedAt !== 'number' || now >= startedAt + ticketLifeSeconds * 1000) return undefined;
  // Sealed by this service: nobody else can have written it.
  return { request: request as AuthorizationRequest, startedAt };
}
