// Where the browser goes after a sign-in by link: back to the sign-in of the app that the user started from.
import { longestTicket } from '../../../../apps/requests/require-ticket.ts';
import type { LinkTarget } from '../../../../auth/links/login-link.ts';
import { paths } from '../../../interface/paths.ts';
import { nullable, text } from '../../../interface/schema.ts';

export const authorizationTicketField = text({
  minLength: 1,
  maxLength: longestTicket,
  description: 'The ticket of the sign-in page of an app',
});

export const continueToField = nullable(
  text({ description: 'The path to go on with if the user signs in to an app. Null if there is no app' }),
);

export function continueTo({ authorizationTicket }: LinkTarget): string | null {
  return authorizationTicket === undefined
    ? null
    : `${paths.authorize}?ticket=${encodeURIComponent(authorizationTicket)}`;
}
