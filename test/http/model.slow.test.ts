// Thousands of random calls of several users, clock jumps and restarts: the service and a simple model of it always give the same answers.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareWithModel } from './model/compare.ts';

/** Every answer that the calls can give. A run that missed one would prove little. */
const answers = [
  ...['200', '202', '400 LINK_INVALID', '400 OTP_EXPIRED', '400 OTP_INVALID', '400 PROOF_TICKET_INVALID'],
  ...['400 REQUEST_INVALID', '401 ACCESS_TOKEN_EXPIRED', '401 REFRESH_TOKEN_EXPIRED', '401 REFRESH_TOKEN_REUSED'],
  ...['401 SESSION_REVOKED', '403 RECENT_SIGN_IN_REQUIRED', '404 NOT_FOUND', '409 EMAIL_TAKEN', '409 LAST_WAY_IN'],
  ...['409 PHONE_NEEDS_PROOF', '409 PHONE_TAKEN', '410 LINK_EXPIRED', '429 OTP_ATTEMPTS_EXCEEDED'],
  ...['429 OTP_RESEND_TOO_SOON', '429 OTP_SEND_LIMIT'],
];

/** The same steps in every run, because some answers are rare. `model.live.test.ts` takes others each time. */
const seed = 1;
const rareCalls = ['not me: 409 PHONE_TAKEN', 'change phone: 202', 'claim: 200', 'sign in: 409 PHONE_NEEDS_PROOF'];

/** Without the names of the calls. */
function verdictsIn(given: ReadonlySet<string>): string[] {
  return [...new Set([...given].map((answer) => answer.replace(/^.*: /, '')))].sort();
}

describe('the service and its model', () => {
  it('the service and its model agree over thousands of steps on SQLite, until every answer was given', async (context) => {
    const isEnough = (given: ReadonlySet<string>) =>
      verdictsIn(given).length >= answers.length && rareCalls.every((call) => given.has(call));
    const { report, given } = await compareWithModel('sqlite', 3000, { most: 10_000, seed, isEnough });
    context.diagnostic(report);
    assert.deepEqual(verdictsIn(given), answers);
    for (const call of rareCalls) assert.ok(given.has(call), call);
  });
});
