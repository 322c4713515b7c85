// One line of a route table: method, path, guards and route.
import type { Route } from './route.ts';

/**
 * access: a valid access token. captcha: the captcha-token header. origin: a trusted origin, checked if a cookie authenticates.
 * refresh-origin: the same check if the refresh token is a cookie. host: a host name of this service, for calls without a
 * credential. admin: a signed-in staff member. admin-enabled: the admin page is in use, for the call that signs staff in.
 */
export type GuardName = 'access' | 'captcha' | 'origin' | 'refresh-origin' | 'host' | 'admin' | 'admin-enabled';

/** Groups the routes in the API reference. */
export type RouteTag = 'auth' | 'file' | 'admin' | 'service';

export type RouteLine = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly guards: readonly GuardName[];
  readonly route: Route;
  /** The name of the route in the code, and its operation id in the OpenAPI document. */
  readonly name: string;
  readonly tag: RouteTag;
  /** Not in the API reference, because apps must not rely on it. */
  readonly isHidden?: true;
};
