// One line of a route table: method, path, guards and route.
import type { AppScope } from '../../apps/clients/app.ts';
import type { BackendScope } from '../../backend/service-key.ts';
import type { StaffRole } from '../../support/staff/staff-role.ts';
import type { Route } from './route.ts';

/**
 * access: a valid access token. recent: its user was proved within RECENT_SIGN_IN. browser: the request comes from the browser in which the user signed in (the cookie SSO). captcha: the captcha-token header. origin: a trusted origin, checked if a cookie authenticates.
 * refresh-origin: the same check if the refresh token is a cookie. host: a host name of this service, for calls without a
 * credential. admin: a signed-in staff member. admin-enabled: the admin page is in use, for the call that signs staff in. backend: a live service key with the
 * scope of the line.
 */
export type GuardName =
  | 'access'
  | 'recent'
  | 'browser'
  | 'captcha'
  | 'origin'
  | 'refresh-origin'
  | 'host'
  | 'admin'
  | 'admin-enabled'
  | 'backend';

/** Groups the routes in the API reference. */
export type RouteTag = 'auth' | 'file' | 'apps' | 'admin' | 'back-end' | 'service';

export type RouteLine = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly guards: readonly GuardName[];
  /** What the service key must allow, for a line with the guard “backend”. Without it no key may call. */
  readonly scope?: BackendScope;
  /** The least role of staff that may call, for a line with the guard “admin”. Without it only owners may. */
  readonly role?: StaffRole;
  /** What lets an app call with its own token, for a line with the guard “access”. Without it no app may call. */
  readonly appScope?: AppScope;
  /** A request with a link in its query (`l`) needs no access token, and a token is not looked at. */
  readonly opensByLink?: true;
  readonly route: Route;
  /** The name of the route in the code, and its operation id in the OpenAPI document. */
  readonly name: string;
  readonly tag: RouteTag;
  /** Not in the API reference, because apps must not rely on it. */
  readonly isHidden?: true;
};
