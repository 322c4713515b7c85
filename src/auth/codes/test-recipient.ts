// Finds test recipients: they have a fixed code, for tests and app store reviewers.
import type { TestRecipient } from './challenge.ts';

export function findTestRecipient(
  all: readonly TestRecipient[],
  recipient: string,
  now: number,
): TestRecipient | undefined {
  return all.find((entry) => entry.recipient === recipient && now < entry.until);
}
