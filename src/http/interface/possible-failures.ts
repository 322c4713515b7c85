// Which failures a route can answer, and which codes a service documents.
import { type FailureCode, failureCodes } from '../../kernel/failure.ts';
import { failureReplies } from './failure-replies.ts';
import type { GuardName, RouteLine } from './route-line.ts';

const guardFailures: Record<GuardName, readonly FailureCode[]> = {
  access: [
    'ACCESS_TOKEN_MISSING',
    'ACCESS_TOKEN_INVALID',
    'ACCESS_TOKEN_EXPIRED',
    'SESSION_REVOKED',
    'APP_SCOPE_MISSING',
  ],
  recent: ['RECENT_SIGN_IN_REQUIRED'],
  browser: ['BROWSER_SESSION_REQUIRED'],
  captcha: ['CAPTCHA_REQUIRED', 'CAPTCHA_INVALID', 'CAPTCHA_UNAVAILABLE'],
  origin: ['CSRF_REJECTED'],
  'refresh-origin': ['CSRF_REJECTED'],
  admin: ['ADMIN_REQUIRED', 'STAFF_ROLE_REQUIRED', 'CSRF_REJECTED', 'NOT_FOUND'],
  'admin-enabled': ['CSRF_REJECTED', 'NOT_FOUND'],
  backend: ['SERVICE_KEY_INVALID', 'SERVICE_SCOPE_MISSING', 'NOT_FOUND'],
  host: [],
};

/** Any request can be refused with these, whatever its route. */
const everyFailure: readonly FailureCode[] = [
  'REQUEST_INVALID',
  'MEDIA_TYPE_UNSUPPORTED',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'SERVICE_STOPPING',
  'INTERNAL_ERROR',
];

/** A body is read and checked even if the route needs none. GET never reads one. */
const bodyFailures: readonly FailureCode[] = ['JSON_INVALID', 'BODY_TOO_LARGE', 'REQUEST_TIMEOUT'];

type Judged = Pick<RouteLine, 'method' | 'guards' | 'role' | 'route'>;

export function failuresOf({ method, guards, role, route }: Judged): FailureCode[] {
  const possible = new Set<FailureCode>([
    ...everyFailure,
    ...(method === 'GET' || route.takesStream === true ? [] : bodyFailures),
    // Every member of staff is at least a viewer.
    ...guards
      .flatMap((guard) => guardFailures[guard])
      .filter((code) => code !== 'STAFF_ROLE_REQUIRED' || role !== 'viewer'),
    ...route.failures,
  ]);
  return failureCodes.filter((code) => possible.has(code));
}

/** All codes, except those that need a setting which this service does not have. */
export function documentedCodes(table: readonly RouteLine[]): FailureCode[] {
  const answered = new Set(table.flatMap(failuresOf));
  return failureCodes.filter((code) => failureReplies[code].onlyWith === undefined || answered.has(code));
}
