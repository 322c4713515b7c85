// POST /api/service/users/find: finds a user. The query is in the body, so that proxies do not log phone numbers or e-mail addresses.
import { backendView } from '../../../auth/directory/user-views.ts';
import type { BackendDeps } from '../../../backend/deps.ts';
import { findBackendUser } from '../../../backend/find-backend-user.ts';
import { longestExternalId } from '../../../backend/user-data.ts';
import { defineRoute } from '../../interface/route.ts';
import { object, text } from '../../interface/schema.ts';
import { emailField, phoneField } from '../fields.ts';
import { backendUser, backendUserExample } from '../user-schemas.ts';

export function backendFindUserRoute(deps: BackendDeps) {
  return defineRoute({
    summary: 'Find a user by phone number, e-mail address or external id',
    description: 'Exactly one field. Numbers and addresses may be spelled as at a sign-in.',
    success: 'SERVICE_VIEW',
    failures: ['NOT_FOUND', 'PHONE_INVALID', 'PHONE_NOT_SUPPORTED', 'EMAIL_INVALID'],
    body: object(
      {},
      {
        phone: phoneField('The phone number, with country code'),
        email: emailField('The e-mail address'),
        externalId: text({
          minLength: 1,
          maxLength: longestExternalId,
          description: 'The id that the app gave the user',
        }),
      },
    ),
    data: backendUser,
    example: backendUserExample,
    handle: async ({ body: { phone, email, externalId } }) => {
      const wanted = {
        ...(phone !== undefined && { phone }),
        ...(email !== undefined && { email }),
        ...(externalId !== undefined && { externalId }),
      };
      return { data: backendView(await findBackendUser(deps, wanted)) };
    },
  });
}
