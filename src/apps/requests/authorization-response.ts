// The answer to the request of an app: its redirect URI with the parameters of the answer.

/** RFC 6749 section 4.1.2.1 and OpenID Connect Core section 3.1.2.6. */
export type AuthorizationError =
  | 'invalid_request'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported';

type AuthorizationResponse =
  | { readonly code: string }
  | { readonly error: AuthorizationError; readonly error_description: string };

/** Every answer names its issuer (RFC 9207), so that an app with several providers cannot confuse them. */
export function writeAuthorizationResponse(
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string | undefined },
  issuer: string,
  response: AuthorizationResponse,
): string {
  const parameters = { ...response, ...(state !== undefined && { state }), iss: issuer };
  return addToQuery(redirectUri, parameters);
}

/** Keeps the query that a registered address may have. */
export function addToQuery(uri: string, parameters: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(parameters).toString();
  if (text === '') return uri;
  if (!uri.includes('?')) return `${uri}?${text}`;
  return uri.endsWith('?') || uri.endsWith('&') ? uri + text : `${uri}&${text}`;
}
