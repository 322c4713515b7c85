// What every refusal of the endpoints of OpenID Connect has in common.
import assert from 'node:assert/strict';
import type { AppReply } from '../../../helpers/people/oauth.ts';
import type { Stage } from '../../../helpers/services/stage.ts';
import { type Answer, issuerOf } from './attack.ts';

/** A refusal at an endpoint for apps: JSON, kept by no cache, no token in it. */
export function assertRefused(reply: AppReply, error: string, what: string, status = 400): void {
  assert.deepEqual([reply.status, reply.body.error], [status, error], `${what}: ${reply.text}`);
  assert.deepEqual(Object.keys(reply.body).sort(), ['error', 'error_description'], what);
  assert.match(String(reply.headers.get('content-type')), /^application\/json/);
  assert.equal(reply.headers.get('cache-control'), 'no-store', what);
}

/** A refusal that goes back to the app: the error, its state, and who answers. Never a code. */
export function assertAppGetsError(
  answer: Answer,
  redirectUri: string,
  error: string,
  stage: Stage,
  what: string,
): void {
  assert.equal(answer.status, 303, `${what}: ${answer.status} ${answer.text.slice(0, 200)}`);
  const location = answer.location ?? assert.fail(`${what}: no address`);
  assert.ok(location.href.startsWith(`${redirectUri}?`), `${what}: ${location}`);
  assert.equal(location.searchParams.get('error'), error, `${what}: ${location}`);
  assert.equal(location.searchParams.get('iss'), issuerOf(stage), what);
  assert.deepEqual([location.searchParams.has('code'), location.hash], [false, ''], what);
  assertSafe(answer, what);
}

/** A page for the user that leads nowhere else. */
export function assertErrorPage(answer: Answer, what: string): void {
  assert.equal(answer.status, 400, `${what}: ${answer.status} ${answer.location}`);
  assert.equal(answer.location, undefined, what);
  assert.match(String(answer.headers.get('content-type')), /^text\/html/, what);
  assert.doesNotMatch(answer.text, /evil|http-equiv/i, what);
  assert.deepEqual(answer.headers.getSetCookie(), [], what);
  assertSafe(answer, what);
}

/** No frame, no copy in a cache, no address in a Referer. */
export function assertSafe({ headers }: Answer, what: string): void {
  assert.equal(headers.get('cache-control'), 'no-store', what);
  assert.equal(headers.get('referrer-policy'), 'no-referrer', what);
  assert.equal(headers.get('x-frame-options'), 'DENY', what);
  assert.match(String(headers.get('content-security-policy')), /frame-ancestors 'none'/, what);
  assert.equal(headers.get('access-control-allow-origin'), null, what);
}
