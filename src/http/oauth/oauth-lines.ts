// The endpoints of OpenID Connect as the OpenAPI document lists them: what they take, and everything that they answer.
import { paths } from '../interface/paths.ts';
import type { PlainAnswer, PlainLine } from '../interface/plain-line.ts';
import { anyObject, integer, list, object, oneOf, text } from '../interface/schema.ts';
import { userClaimFields } from './user-claims.ts';

const slow = { 'Retry-After': 'Seconds to wait' };

/** What any request with a form can meet. */
const formAnswers: Readonly<Record<number, PlainAnswer>> = {
  408: { meaning: 'The body came too slowly.', errors: { invalid_request: 'The request was not received in time.' } },
  413: { meaning: 'The form is too large.', errors: { invalid_request: 'The request is too large.' } },
  415: { meaning: 'The body is not a form.', errors: { invalid_request: 'The content type is not supported.' } },
};

const everyAnswer: Readonly<Record<number, PlainAnswer>> = {
  429: {
    meaning: 'Too many requests.',
    errors: { temporarily_unavailable: 'Too many requests. Try again later.' },
    headers: slow,
  },
  500: { meaning: 'A fault of the service.', errors: { server_error: 'Something went wrong on our side.' } },
  503: {
    meaning: 'The database does not answer.',
    errors: { temporarily_unavailable: 'The service is unavailable. Try again later.' },
    headers: slow,
  },
};

const page: PlainAnswer = { meaning: 'A page for the user', type: 'text/html', schema: text() };
const onward: PlainAnswer = { meaning: 'The way on, in Location', headers: { Location: 'Where the browser goes on' } };
const byApp = [['appSecret'], []] as const;

const tokens = object(
  {
    access_token: text({ examples: ['eyJhbGciOiJFUzI1NiIs…'] }),
    token_type: oneOf(['Bearer']),
    expires_in: integer({ description: 'Seconds', examples: [900] }),
    refresh_token: text({ examples: ['AYrxAZKm2s5wcJ…'] }),
    scope: text({ examples: ['openid phone'] }),
  },
  { id_token: text({ examples: ['eyJhbGciOiJFUzI1NiIs…'] }) },
);

const tokenForm = object(
  { grant_type: oneOf(['authorization_code', 'refresh_token']) },
  {
    code: text({ examples: ['AYrxAZKm2s5wcJ…'] }),
    redirect_uri: text({ examples: ['https://shop.example.org/callback'] }),
    code_verifier: text({ examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'] }),
    refresh_token: text({ description: 'With grant_type refresh_token', examples: ['AYrxAZKm2s5wcJ…'] }),
    scope: text({ description: 'Fewer scopes, with grant_type refresh_token', examples: ['openid'] }),
    client_id: text({ examples: ['shop'] }),
    client_secret: text({ description: 'If it is not in the Authorization header', examples: ['…'] }),
  },
);

const claims = object({ sub: text({ format: 'uuid' }) }, userClaimFields);

const claimsAnswers: Readonly<Record<number, PlainAnswer>> = {
  200: {
    meaning: 'The claims that the scopes of the token open',
    schema: claims,
    example: { sub: '0192a6da-ce70-7c1e-9a53-4f0f5c0b2f11' },
  },
  401: {
    meaning: 'The access token is missing, wrong, expired or revoked.',
    errors: { invalid_token: 'The access token is missing or invalid.' },
    headers: { 'WWW-Authenticate': 'The challenge of RFC 6750' },
  },
  403: {
    meaning: 'The token belongs to no app, or to an app without the scope openid.',
    errors: { insufficient_scope: 'This needs the access token of an app with the scope openid.' },
  },
  ...everyAnswer,
};

const document: PlainAnswer = {
  meaning: 'The document, for client libraries',
  schema: anyObject(),
  example: { issuer: 'https://id.example.org' },
};

const keys = object({ keys: list(anyObject({ examples: [{ kty: 'EC', crv: 'P-256', kid: 'k1' }] })) });

export const oauthLines: readonly PlainLine[] = [
  {
    method: 'GET',
    path: paths.authorize,
    name: 'authorizeApp',
    tag: 'apps',
    summary: 'Sign a user in for an app',
    description:
      'The browser comes from the app and goes back with a code. Without a sign-in or a consent, the answer is the sign-in page. Errors go to the app if its address is known to be right; otherwise a page says what is wrong.',
    query: object(
      {
        client_id: text({ examples: ['shop'] }),
        redirect_uri: text({ examples: ['https://shop.example.org/callback'] }),
        response_type: oneOf(['code']),
        scope: text({ examples: ['openid phone'] }),
        code_challenge: text({ examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'] }),
        code_challenge_method: oneOf(['S256']),
      },
      {
        state: text(),
        nonce: text(),
        prompt: oneOf(['none', 'login', 'consent']),
        max_age: text(),
        login_hint: text(),
        ui_locales: text(),
      },
    ),
    answers: { 200: page, 303: onward, 400: { ...page, meaning: 'A page that says what is wrong' }, ...everyAnswer },
  },
  {
    method: 'POST',
    path: paths.token,
    name: 'exchangeAppTokens',
    tag: 'apps',
    summary: 'Exchange a code or a refresh token',
    security: byApp,
    form: tokenForm,
    answers: {
      200: { meaning: 'The tokens of the app', schema: tokens },
      400: {
        meaning: 'The request, the code or the token is wrong.',
        errors: {
          invalid_request: 'code is missing.',
          invalid_grant: 'The code is unknown, expired or used, or does not belong to this request.',
          invalid_scope: 'The session has not all of these scopes.',
          unsupported_grant_type: 'grant_type must be authorization_code or refresh_token.',
        },
      },
      401: wrongApp(),
      ...formAnswers,
      ...everyAnswer,
    },
  },
  {
    method: 'GET',
    path: paths.userinfo,
    name: 'getUserinfo',
    tag: 'apps',
    summary: 'Get the claims of the user',
    security: [['bearerAuth']],
    answers: claimsAnswers,
  },
  {
    method: 'POST',
    path: paths.userinfo,
    name: 'postUserinfo',
    tag: 'apps',
    summary: 'Get the claims of the user, by a form',
    security: [['bearerAuth'], []],
    form: object({}, { access_token: text({ examples: ['eyJhbGciOiJFUzI1NiIs…'] }) }),
    answers: {
      ...claimsAnswers,
      400: { meaning: 'The token was sent twice.', errors: { invalid_request: 'Send the access token once.' } },
      ...formAnswers,
    },
  },
  {
    method: 'POST',
    path: paths.revoke,
    name: 'revokeAppToken',
    tag: 'apps',
    summary: 'Give up a token of an app, and its session',
    security: byApp,
    form: object(
      { token: text({ examples: ['AYrxAZKm2s5wcJ…'] }) },
      { client_id: text({ examples: ['shop'] }), client_secret: text({ examples: ['…'] }) },
    ),
    answers: {
      200: { meaning: 'The token no longer works.' },
      400: {
        meaning: 'The request is wrong.',
        errors: {
          invalid_request: 'token is missing.',
        },
      },
      401: wrongApp(),
      ...formAnswers,
      ...everyAnswer,
    },
  },
  {
    method: 'GET',
    path: paths.logout,
    name: 'signOutOfApp',
    tag: 'apps',
    summary: 'Sign the user out',
    query: object({}, { id_token_hint: text(), client_id: text(), post_logout_redirect_uri: text(), state: text() }),
    answers: { 200: page, 303: onward, 400: { ...page, meaning: 'A page that says what is wrong' }, ...everyAnswer },
  },
  {
    method: 'POST',
    path: paths.logout,
    name: 'postSignOutOfApp',
    tag: 'apps',
    summary: 'Sign the user out, by a form',
    form: object({}, { id_token_hint: text(), client_id: text(), post_logout_redirect_uri: text(), state: text() }),
    answers: {
      303: onward,
      400: { meaning: 'A parameter occurs twice.', errors: { invalid_request: 'A parameter occurs more than once.' } },
      ...formAnswers,
      ...everyAnswer,
    },
  },
  {
    method: 'GET',
    path: paths.openid,
    name: 'getOpenidConfiguration',
    tag: 'apps',
    summary: 'What this OpenID provider does',
    answers: { 200: document, 429: everyAnswer[429] as PlainAnswer },
  },
  {
    method: 'GET',
    path: paths.authorizationServer,
    name: 'getAuthorizationServer',
    tag: 'apps',
    summary: 'The same by RFC 8414',
    answers: { 200: document, 429: everyAnswer[429] as PlainAnswer },
  },
  {
    method: 'GET',
    path: paths.jwks,
    name: 'getKeys',
    tag: 'apps',
    summary: 'The public keys that sign tokens',
    answers: { 200: { meaning: 'A JSON Web Key Set', schema: keys } },
  },
];

function wrongApp(): PlainAnswer {
  return {
    meaning: 'The app is unknown, or its secret is wrong.',
    errors: { invalid_client: 'The app is unknown, or its secret is wrong or missing.' },
    headers: { 'WWW-Authenticate': 'If the request had an Authorization header' },
  };
}
