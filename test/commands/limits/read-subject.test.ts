// The subject of limits as an operator types it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSubject } from '../../../src/commands/limits/read-subject.ts';

describe('the subject of limits', () => {
  for (const [text, kind, read] of [
    ['+1 202 555 0123', 'phone', '+12025550123'],
    ['Ann@Example.com', 'email', 'ann@example.com'],
    ['203.0.113.7', 'address', '203.0.113.7'],
    ['2001:db8:5:6:7::1', 'address', '2001:db8:5:6::/64'],
    ['2001:db8:5:6::/64', 'address', '2001:db8:5:6::/64'],
    ['::ffff:203.0.113.7', 'address', '203.0.113.7'],
  ] as const) {
    it(`${text} is the ${kind} ${read}`, () => assert.deepEqual(readSubject(text), { kind, text: read }));
  }

  for (const text of ['ann', '10', '203.0.113', '2001:db8::/48', '']) {
    it(`“${text}” is refused`, () => assert.throws(() => readSubject(text), { code: 'REQUEST_INVALID' }));
  }
});
