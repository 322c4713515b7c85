// One line of a route table: method, path, guards and route.
import type { Route } from './route.ts';

/**
 * access: a valid access token. captcha: the captcha-token header. origin: a trusted origin, checked when a cookie authenticates.
 * host: a host name of this service, checked when nothing authenticates. admin: a signed-in member of staff. admin-enabled: the
 * admin page is in use, for the calls that sign staff in.
 */
export type GuardName = 'access' | 'captcha' | 'origin' | 'refresh-origin' | 'host' | 'admin' | 'admin-enabled';

/** The heading of the route in the API reference. */
export type RouteTag = 'auth' | 'file' | 'admin' | 'service';

export type RouteLine = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly guards: readonly GuardName[];
  readonly route: Route;
  /** The name of the route in every folder; the operation id of the OpenAPI document. */
  readonly name: string;
  readonly tag: RouteTag;
  /** Left out of the API reference, because apps must not rely on it. */
  readonly isHidden?: true;
};
