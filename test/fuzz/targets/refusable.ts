// Runs a parser that may refuse its input with certain codes, and with nothing else.
import assert from 'node:assert/strict';
import { Failure, type FailureCode } from '../../../src/kernel/failure.ts';

/** The result, or undefined for an expected refusal. */
export function refusable<T>(read: () => T, ...codes: readonly FailureCode[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    assert.ok(codes.includes(error.code), `refused with ${error.code}`);
    return undefined;
  }
}
