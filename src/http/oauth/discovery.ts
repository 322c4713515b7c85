// GET /.well-known/openid-configuration and /.well-known/oauth-authorization-server: what this provider does, for client libraries.
import { appScopes } from '../../apps/clients/app.ts';
import { languages } from '../../kernel/text/language.ts';
import { jsonType } from '../interface/envelope.ts';
import { paths } from '../interface/paths.ts';
import type { Routes } from '../server/server.ts';
import { userClaimFields } from './user-claims.ts';

const authMethods = ['client_secret_basic', 'client_secret_post', 'none'];

/** Says “false” for features that are not supported: without the field clients would assume “true” or have to guess. */
function createDiscovery(issuer: string) {
  return {
    issuer,
    authorization_endpoint: issuer + paths.authorize,
    token_endpoint: issuer + paths.token,
    userinfo_endpoint: issuer + paths.userinfo,
    revocation_endpoint: issuer + paths.revoke,
    end_session_endpoint: issuer + paths.logout,
    jwks_uri: issuer + paths.jwks,
    service_documentation: `${issuer}/docs`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    scopes_supported: appScopes,
    claim_types_supported: ['normal'],
    claims_supported: [
      'iss',
      'sub',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'amr',
      'nonce',
      'sid',
      ...Object.keys(userClaimFields),
    ],
    prompt_values_supported: ['none', 'login', 'consent'],
    ui_locales_supported: languages,
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    require_request_uri_registration: false,
    require_pushed_authorization_requests: false,
    require_signed_request_object: false,
    tls_client_certificate_bound_access_tokens: false,
    frontchannel_logout_supported: false,
    backchannel_logout_supported: false,
  };
}

export function registerDiscovery(server: Routes, publicUrl: string): void {
  const caching = { 'cache-control': 'public, max-age=600', 'cross-origin-resource-policy': 'cross-origin' };
  const document = JSON.stringify(createDiscovery(publicUrl));
  for (const path of [paths.openid, paths.authorizationServer]) {
    server.get(path, (_request, reply) => reply.headers(caching).type(jsonType).send(document));
  }
}
