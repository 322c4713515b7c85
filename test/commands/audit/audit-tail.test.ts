// The kind of events to print.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readKind } from '../../../src/commands/audit/audit-tail.ts';
import { auditKinds } from '../../../src/kernel/audit.ts';

describe('the kind of events to print', () => {
  it('every kind is read', () => {
    for (const kind of auditKinds) assert.equal(readKind(kind), kind);
  });

  for (const [text, guess] of [
    ['otp.exhuasted', 'Did you mean otp.exhausted?'],
    ['login.refuse', 'Did you mean login.refused?'],
    ['nonsense', undefined],
    ['', undefined],
  ] as const) {
    it(`“${text}” is wrong use${guess === undefined ? '' : `: ${guess}`}`, () =>
      assert.throws(
        () => readKind(text),
        ({ message, exitCode }: Error & { exitCode: number }) =>
          exitCode === 2 &&
          message.includes(guess ?? `called ${text}. Kinds:`) &&
          message.endsWith(`Kinds: ${auditKinds.join(', ')}.`),
      ));
  }
});
