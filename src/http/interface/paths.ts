// Paths that code outside the route tables needs: cookie paths, file URLs, and probes that are answered during the start.
import { userinfoPath } from '../../auth/tokens/access-token.ts';

export const paths = {
  /** The path of the cookies with the refresh token, the ask token and the device token. */
  auth: '/api/auth',
  /** The path of the staff session cookie. */
  admin: '/api/admin',
  /** Calls with a service key. */
  backEnd: '/api/service',
  /** The paths of the cookie SSO: requests of apps by OpenID Connect, and the consent of the user to such a request. */
  oauth: '/oauth',
  consent: '/api/auth/apps/consent',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  userinfo: userinfoPath,
  revoke: '/oauth/revoke',
  logout: '/oauth/logout',
  openid: '/.well-known/openid-configuration',
  authorizationServer: '/.well-known/oauth-authorization-server',
  jwks: '/.well-known/jwks.json',
  file: '/file/:id',
  uploads: '/api/file/upload',
  upload: '/api/file/upload/:id',
  inbox: '/api/inbox',
  /** The sign-in element, for pages of any origin: its script, the worker of its captcha beside it, and its texts. */
  element: '/gatehouse-sign-in.js',
  elementWorker: '/captcha-worker.js',
  elementTexts: '/gatehouse-sign-in/texts.json',
  live: '/livez',
  ready: '/readyz',
} as const;

/** The path that serves the bytes of a file. */
export function fileUrl(id: string): string {
  return paths.file.replace(':id', () => id);
}

/** The same for whoever has the link. */
export function linkedFileUrl(id: string, token: string): string {
  return `${fileUrl(id)}?l=${token}`;
}

/** The path of an upload in several requests. */
export function uploadUrl(id: string): string {
  return paths.upload.replace(':id', () => id);
}
