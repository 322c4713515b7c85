// Runs the guards that a line of the route table names, before the body is read.
import type { AppScope } from '../../apps/clients/app.ts';
import { readCookie } from '../interface/cookies.ts';
import { readRefreshHeader } from '../interface/refresh-header.ts';
import type { Caller } from '../interface/route.ts';
import type { GuardName, RouteLine } from '../interface/route-line.ts';
import type { HttpRequest, HttpRoute } from '../server/request.ts';
import type { AdminGuards } from './admin.ts';
import type { BackendGuard } from './backend.ts';
import type { BrowserGuard } from './browser.ts';
import type { HostGuard } from './host.ts';
import type { OriginGuard } from './origin.ts';
import type { RecentGuard } from './recent.ts';

export type Guards = {
  readonly access: (request: HttpRequest, appScope?: AppScope) => Caller | Promise<Caller>;
  readonly origin: OriginGuard;
  readonly browser: BrowserGuard;
  readonly recent: RecentGuard;
  readonly admin: AdminGuards;
  readonly host: HostGuard;
  readonly backend: BackendGuard;
};

/** These ask the store or check a signature. */
const waiting: readonly GuardName[] = ['admin-enabled', 'admin', 'backend', 'access'];

export function createGuard(line: RouteLine, guards: Guards): NonNullable<HttpRoute['guard']> {
  const named = (name: GuardName) => line.guards.includes(name);
  const [host, origin, browser] = [named('host'), named('origin'), named('browser')];
  const [recent, refresh] = [named('recent'), named('refresh-origin')];
  const checkCaller = (request: HttpRequest) => {
    if (origin && request.caller?.via === 'cookie') guards.origin(request);
    if (browser) guards.browser(request, request.caller);
    if (recent) guards.recent(request.caller);
    if (refresh && isRefreshedByCookie(request)) guards.origin(request);
  };
  const identify = createIdentify(line, guards, checkCaller);
  return (request) => {
    if (host) guards.host(request);
    if (identify !== undefined) return identify(request);
    checkCaller(request);
    return undefined;
  };
}

/** Undefined if the line names no guard that finds out who calls. Ends with `checkCaller`. */
function createIdentify(line: RouteLine, guards: Guards, checkCaller: (request: HttpRequest) => void) {
  const named = (name: GuardName) => line.guards.includes(name);
  if (!waiting.some(named)) return undefined;
  const [entry, admin, backend, access] = waiting.map(named);
  const findCaller = (request: HttpRequest): Promise<void> | undefined => {
    // A link is the only credential of its request: a wrong one opens nothing, even beside a good token.
    const isLinked = line.opensByLink === true && request.query.l !== undefined;
    const caller = access && !isLinked ? guards.access(request, line.appScope) : undefined;
    if (caller instanceof Promise) return caller.then((found) => takeCaller(request, found));
    takeCaller(request, caller);
    return undefined;
  };
  const takeCaller = (request: HttpRequest, caller: Caller | undefined) => {
    request.caller = caller;
    checkCaller(request);
  };
  if (!entry && !admin && !backend) return findCaller;
  return async (request: HttpRequest): Promise<void> => {
    if (entry) await guards.admin.enter(request);
    if (admin) request.admin = await guards.admin.check(request, line.role);
    if (backend) request.backend = await guards.backend(request, line.scope);
    await findCaller(request);
  };
}

function isRefreshedByCookie({ headers }: HttpRequest): boolean {
  return readRefreshHeader(headers.rt?.toString()) === undefined && readCookie(headers.cookie, 'RT') !== undefined;
}
