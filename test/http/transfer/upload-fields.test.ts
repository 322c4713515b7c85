// The header fields of an upload in several requests: structured values are read strictly, and limits are written.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bodyLength,
  readComplete,
  readLength,
  readOffset,
  speaksInterop,
  writeComplete,
  writeLimits,
} from '../../../src/http/transfer/upload-fields.ts';

const head =
  (headers: Readonly<Record<string, string>>) =>
  (name: string): string | undefined =>
    headers[name];

/** The value, or the field that the refusal names. */
function resultOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    const { code, detail } = error as { code: string; detail: { field: string } };
    return `${code} ${detail.field}`;
  }
}

/** No structured Integer that is not negative and has at most 15 digits. */
const badCounts = [
  '',
  '-1',
  '-0',
  '+1',
  '1.0',
  '1e3',
  '0x10',
  '1, 2',
  '1 2',
  '1,',
  '(1)',
  '"1"',
  ':MQ==:',
  '?1',
  '@1',
  'Infinity',
  'NaN',
  '١',
  '1_000',
  '1000000000000000',
  '9'.repeat(4000),
];

describe('Upload-Complete', () => {
  it('Upload-Complete is a structured Boolean', () => {
    assert.equal(readComplete(head({})), undefined);
    assert.equal(readComplete(head({ 'upload-complete': '?1' })), true);
    assert.equal(readComplete(head({ 'upload-complete': '?0' })), false);
    assert.equal(readComplete(head({ 'upload-complete': '?0;a=b' })), false);
    assert.deepEqual([writeComplete(true), writeComplete(false)], ['?1', '?0']);
  });

  for (const value of ['', '1', '0', 'true', '?', '?2', '??1', '?1;', '?1, ?1', '?01', '"?1"', '(?1)'])
    it(`Upload-Complete ${JSON.stringify(value)} is refused`, () => {
      assert.equal(
        resultOf(() => readComplete(head({ 'upload-complete': value }))),
        'REQUEST_INVALID upload-complete',
      );
    });
});

describe('Upload-Offset and Upload-Length', () => {
  for (const [value, expected] of [
    ['0', 0],
    ['5', 5],
    ['007', 7],
    ['5;a=1', 5],
    ['5; a', 5],
    ['999999999999999', 999_999_999_999_999],
  ] as const)
    it(`the count ${value} is read`, () => {
      assert.equal(readOffset(head({ 'upload-offset': value })), expected);
      assert.equal(readLength(head({ 'upload-length': value, 'content-length': '3' })), expected);
    });

  for (const value of badCounts)
    it(`the count ${JSON.stringify(value.slice(0, 20))} of ${value.length} characters is refused`, () => {
      assert.equal(
        resultOf(() => readOffset(head({ 'upload-offset': value }))),
        'REQUEST_INVALID upload-offset',
      );
      assert.equal(
        resultOf(() => readLength(head({ 'upload-length': value }))),
        'REQUEST_INVALID upload-length',
      );
    });

  it('without the headers there is no offset and no length', () => {
    assert.equal(readOffset(head({})), undefined);
    assert.equal(readLength(head({})), undefined);
  });
});

describe('the length of a body', () => {
  it('the length of a body is unknown in chunks, and 0 if there is no body', () => {
    assert.equal(bodyLength(head({})), 0);
    assert.equal(bodyLength(head({ 'content-length': '12' })), 12);
    assert.equal(bodyLength(head({ 'transfer-encoding': 'chunked' })), undefined);
  });
});

describe('the version of the draft', () => {
  it('only the Integer 8 is the version that this service speaks', () => {
    assert.equal(speaksInterop(head({ 'upload-draft-interop-version': '8' })), true);
    assert.equal(speaksInterop(head({ 'upload-draft-interop-version': '8;a' })), true);
    for (const value of ['6', '7', '9', '', '8.0', '8, 8', '"8"', '-8', '?1'])
      assert.equal(speaksInterop(head({ 'upload-draft-interop-version': value })), false, value);
    assert.equal(speaksInterop(head({})), false);
  });
});

describe('Upload-Limit', () => {
  it('the limits are a dictionary of Integers, with the age if the upload can go on', () => {
    const sizes = { maxBytes: 100, appendBytes: 50 };
    assert.equal(writeLimits({ ...sizes, ageSeconds: 60 }), 'max-size=100, max-append-size=50, max-age=60');
    assert.equal(writeLimits(sizes), 'max-size=100, max-append-size=50');
  });
});
