// The claims about a user, by the names of the protocol, as the OpenAPI document and the discovery document list them.
import type { claimsView } from '../../auth/directory/user-views.ts';
import { flag, type Schema, text } from '../interface/schema.ts';

export const userClaimFields = {
  phone_number: text({ examples: ['+12025550123'] }),
  phone_number_verified: flag(),
  email: text({ examples: ['ann@example.com'] }),
  email_verified: flag(),
} satisfies Record<keyof ReturnType<typeof claimsView>, Schema>;
