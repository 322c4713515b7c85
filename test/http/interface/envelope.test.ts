// The envelope of every answer, and the headers that a failure needs.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failure, success } from '../../../src/http/interface/envelope.ts';
import { failureReplies } from '../../../src/http/interface/failure-replies.ts';
import { Failure, type FailureCode, type FailureDetail, failureCodes } from '../../../src/kernel/failure.ts';
import { languages } from '../../../src/kernel/text/language.ts';
import { textsIn } from '../../../src/kernel/text/texts.ts';

const link = (code: FailureCode) => `<https://id.example/docs/errors#${code}>; rel="help"`;
const render = (code: FailureCode, detail?: FailureDetail) =>
  failure('en', new Failure(code, detail), 'https://id.example');

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
        const { status, headers, body } = failure(language, new Failure(code), 'https://id.example');
        const { message, ...rest } = JSON.parse(body);
        assert.equal(status, failureReplies[code].status);
        assert.deepEqual(rest, { success: false, codeError: code, data: null });
        assert.ok(message.length > 0 && !/[{}]/.test(message), `${language} ${code}: ${message}`);
        assert.equal(headers.link, link(code));
      }
    }
  });

  it('a message names what the failure is about', () => {
    const message = JSON.parse(render('REQUEST_INVALID', { field: 'otp' }).body).message;
    assert.match(message, /\botp\b/);
    assert.match(JSON.parse(render('RATE_LIMITED', { retryAfterSeconds: 7 }).body).message, /\b7 seconds/);
    assert.match(JSON.parse(render('FILE_TOO_LARGE', { limit: '5 MiB' }).body).message, /\b5 MiB\b/);
  });

  const policy = { name: 'resend', quota: 5, windowSeconds: 60, resetSeconds: 7 } as const;
  for (const [code, detail, expected] of [
    ['NOT_FOUND', {}, {}],
    ['RATE_LIMITED', {}, { 'retry-after': '1' }],
    ['RATE_LIMITED', { retryAfterSeconds: 7 }, { 'retry-after': '7' }],
    ['SERVICE_UNAVAILABLE', {}, { 'retry-after': '1' }],
    ['UPLOAD_IN_PROGRESS', { retryAfterSeconds: 3 }, { 'retry-after': '3' }],
    [
      'UPLOAD_OFFSET_WRONG',
      { uploadOffset: 0, isUploadComplete: false },
      { 'upload-offset': '0', 'upload-complete': '?0' },
    ],
    ['FILE_CORRUPT', { isUploadComplete: true }, { 'upload-complete': '?1' }],
    ['FILE_TOO_LARGE', { maxBytes: 5, uploadLimit: 'max-size=5' }, { 'upload-limit': 'max-size=5' }],
    [
      'UPLOAD_OFFSET_WRONG',
      { uploadId: 'upl_a', uploadOffset: 5 },
      { location: '/api/file/upload/upl_a', 'upload-offset': '5' },
    ],
    [
      'RATE_LIMITED',
      { retryAfterSeconds: 7, policy },
      { 'retry-after': '7', 'ratelimit-policy': '"resend";q=5;w=60', ratelimit: '"resend";r=0;t=7' },
    ],
    ['ACCESS_TOKEN_MISSING', {}, { 'www-authenticate': 'Bearer realm="gatehouse"' }],
    ['REFRESH_TOKEN_MISSING', {}, { 'www-authenticate': 'Bearer realm="gatehouse"' }],
    ['ACCESS_TOKEN_INVALID', {}, { 'www-authenticate': 'Bearer realm="gatehouse", error="invalid_token"' }],
    ['SESSION_REVOKED', {}, { 'www-authenticate': 'Bearer realm="gatehouse", error="invalid_token"' }],
    ['METHOD_NOT_ALLOWED', { allow: 'GET, HEAD' }, { allow: 'GET, HEAD' }],
    ['RANGE_NOT_SATISFIABLE', { contentRange: 'bytes */5' }, { 'content-range': 'bytes */5' }],
  ] as const) {
    it(`the failure ${code} with ${JSON.stringify(detail)} has the headers ${Object.keys(expected).join(', ') || 'of every failure'}`, () => {
      assert.deepEqual(render(code, detail).headers, { link: link(code), ...expected });
    });
  }
});
