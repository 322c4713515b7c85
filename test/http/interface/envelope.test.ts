// The envelope of every answer, and the headers that a failure needs.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failure, success } from '../../../src/http/interface/envelope.ts';
import { failureReplies } from '../../../src/http/interface/failure-replies.ts';
import { type FailureCode, failureCodes, type Refusal } from '../../../src/kernel/failure.ts';
import { languages } from '../../../src/kernel/text/language.ts';
import { textsIn } from '../../../src/kernel/text/texts.ts';
import { smallestDetails, smallestFailure } from '../../helpers/smallest-details.ts';

const link = (code: FailureCode) => `<https://id.example/docs/errors#${code}>; rel="help"`;
const render = (refusal: Refusal) => failure('en', refusal, 'https://id.example');

describe('the envelope of a success', () => {
  it('a success has its message in the language of the client, no code, and the data', () => {
    for (const language of languages) {
      const message = textsIn(language).api.success.LOGGED_OUT;
      assert.deepEqual(JSON.parse(success(language, 'LOGGED_OUT', { a: 1 })), {
        success: true,
        message,
        codeError: null,
        data: { a: 1 },
      });
    }
    assert.equal(JSON.parse(success('en', 'LOGGED_OUT', null)).data, null);
  });
});

describe('the envelope of a failure', () => {
  it('every failure has its status, its code, a link to its explanation, and a message in every language', () => {
    for (const code of failureCodes) {
      for (const language of languages) {
        const { status, headers, body } = failure(language, smallestFailure(code), 'https://id.example');
        const { message, ...rest } = JSON.parse(body);
        assert.equal(status, failureReplies[code].status);
        assert.deepEqual(rest, { success: false, codeError: code, data: null });
        assert.ok(message.length > 0 && !/[{}]/.test(message), `${language} ${code}: ${message}`);
        assert.equal(headers.link, link(code));
      }
    }
  });

  it('a message names what the failure is about', () => {
    const message = JSON.parse(render({ code: 'REQUEST_INVALID', detail: { field: 'otp' } }).body).message;
    assert.match(message, /\botp\b/);
    const limited = render({ code: 'RATE_LIMITED', detail: { retryAfterSeconds: 7 } });
    assert.match(JSON.parse(limited.body).message, /\b7 seconds/);
    const large = render({ code: 'FILE_TOO_LARGE', detail: { limit: '5 MiB' } });
    assert.match(JSON.parse(large.body).message, /\b5 MiB\b/);
  });

  const policy = { name: 'resend', quota: 5, windowSeconds: 60, resetSeconds: 7 } as const;
  const answers: readonly (readonly [Refusal, expected: object])[] = [
    [{ code: 'NOT_FOUND', detail: {} }, {}],
    [{ code: 'RATE_LIMITED', detail: { retryAfterSeconds: 7 } }, { 'retry-after': '7' }],
    [{ code: 'SERVICE_UNAVAILABLE', detail: { retryAfterSeconds: 1 } }, { 'retry-after': '1' }],
    [{ code: 'UPLOAD_IN_PROGRESS', detail: { retryAfterSeconds: 3 } }, { 'retry-after': '3' }],
    [
      { code: 'UPLOAD_OFFSET_WRONG', detail: { uploadOffset: 0, isUploadComplete: false } },
      { 'upload-offset': '0', 'upload-complete': '?0' },
    ],
    [{ code: 'FILE_CORRUPT', detail: { isUploadComplete: true } }, { 'upload-complete': '?1' }],
    [
      { code: 'FILE_TOO_LARGE', detail: { limit: '5 bytes', maxBytes: 5, uploadLimit: 'max-size=5' } },
      { 'upload-limit': 'max-size=5' },
    ],
    [
      { code: 'UPLOAD_OFFSET_WRONG', detail: { uploadId: 'upl_a', uploadOffset: 5 } },
      { location: '/api/file/upload/upl_a', 'upload-offset': '5' },
    ],
    [
      { code: 'RATE_LIMITED', detail: { retryAfterSeconds: 7, policy } },
      { 'retry-after': '7', 'ratelimit-policy': '"resend";q=5;w=60', ratelimit: '"resend";r=0;t=7' },
    ],
    [{ code: 'ACCESS_TOKEN_MISSING', detail: {} }, { 'www-authenticate': 'Bearer realm="gatehouse"' }],
    [{ code: 'REFRESH_TOKEN_MISSING', detail: {} }, { 'www-authenticate': 'Bearer realm="gatehouse"' }],
    [
      { code: 'ACCESS_TOKEN_INVALID', detail: {} },
      { 'www-authenticate': 'Bearer realm="gatehouse", error="invalid_token"' },
    ],
    [
      { code: 'SESSION_REVOKED', detail: {} },
      { 'www-authenticate': 'Bearer realm="gatehouse", error="invalid_token"' },
    ],
    [{ code: 'METHOD_NOT_ALLOWED', detail: { allow: 'GET, HEAD' } }, { allow: 'GET, HEAD' }],
    [{ code: 'RANGE_NOT_SATISFIABLE', detail: { contentRange: 'bytes */5' } }, { 'content-range': 'bytes */5' }],
  ];
  for (const [refusal, expected] of answers) {
    it(`the failure ${refusal.code} with ${JSON.stringify(refusal.detail)} has the headers ${Object.keys(expected).join(', ') || 'of every failure'}`, () => {
      assert.deepEqual(render(refusal).headers, { link: link(refusal.code), ...expected });
    });
  }

  it('whoever is to wait hears how long: the detail of every 429 and 503 requires it', () => {
    for (const code of failureCodes) {
      const isLater = [429, 503].includes(failureReplies[code].status) || code === 'UPLOAD_IN_PROGRESS';
      assert.equal('retryAfterSeconds' in smallestDetails[code], isLater, code);
    }
  });
});
