// The rules for every answer: no server error, the envelope, its headers, and the id of its request.
import assert from 'node:assert/strict';
import { failureReplies } from '../../../src/http/interface/failure-replies.ts';
import type { FailureCode } from '../../../src/kernel/failure.ts';
import { readEnvelope } from '../../helpers/requests/api.ts';
import { checkRefusal, type RawReply } from '../../helpers/requests/raw-request.ts';
import type { FuzzCase } from './draft.ts';

const codes = Object.keys(failureReplies) as FailureCode[];
const jsonType = 'application/json; charset=utf-8';

/** Throws with the reason if an answer breaks a rule. */
export function checkAnswers(request: FuzzCase, replies: readonly RawReply[]): void {
  if (request.isHalfClosed) {
    for (const reply of replies) checkAnswer({ ...request, path: '?' }, reply);
    return;
  }
  assert.ok(replies[0], 'closed without an answer');
  checkAnswer(request, replies[0]);
}

function checkAnswer(request: FuzzCase, reply: RawReply): void {
  const { status, headers, body } = reply;
  assert.ok(status < 500, `${status} ${body}`);
  assert.ok(!('x-evil' in headers), 'a header of the caller’s');
  assert.match(headers['x-request-id'] ?? '', /^[\w-]{8,64}$/);
  // After a refusal by the parser the request id is unknown, and the connection ends.
  if (request.id !== undefined && headers.connection !== 'close')
    assert.equal(headers['x-request-id'], request.id, 'the answer to another request');
  if (request.isForged) assert.ok(status >= 400, `a forged token got ${status}`);
  if (status === 204) assert.ok(request.method === 'OPTIONS', 'nothing, without being a preflight');
  if (request.method === 'HEAD' || status === 204 || status === 304) return;
  if (status >= 400) {
    const { codeError } = checkRefusal(reply, codes);
    if (status === 429) assert.match(headers['retry-after'] ?? '', /^\d+$/, codeError ?? '');
    return;
  }
  if (!request.path.startsWith('/api/')) return;
  assert.ok([200, 201].includes(status), `${status} on ${request.path}`);
  assert.equal(headers['content-type'], jsonType);
  assert.equal(readEnvelope(body).success, true);
}
