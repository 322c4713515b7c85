// Reads the ticket of an app's sign-in where a call cannot go on without it.
import type { AuthDeps } from '../../auth/deps.ts';
import { Failure } from '../../kernel/failure.ts';
import { type AuthorizationTicket, readAuthorizationTicket } from './authorization-ticket.ts';

/** A sealed request: the query of a request is shorter than this, and so is an address with the ticket. */
export const longestTicket = 12_288;

export function requireTicket(
  { secrets, clock }: Pick<AuthDeps, 'secrets' | 'clock'>,
  text: string,
): AuthorizationTicket {
  const ticket = readAuthorizationTicket(secrets, text, clock.now());
  if (ticket === undefined) throw new Failure('AUTHORIZATION_EXPIRED');
  return ticket;
}
