// Recent sign-in: what would take an account from its owner needs a proof of the user that is only a few minutes old.
import { Failure } from '../../kernel/failure.ts';

/** `provedAt` is undefined in the access token of an older version. It then counts as old. */
export function isRecent(provedAt: number | undefined, recentSeconds: number, now: number): boolean {
  return provedAt !== undefined && now - provedAt <= recentSeconds * 1000;
}

export function requireRecent(provedAt: number | undefined, recentSeconds: number, now: number): void {
  if (!isRecent(provedAt, recentSeconds, now)) throw new Failure('RECENT_SIGN_IN_REQUIRED');
}
