// The captcha: the interface of a provider, and the check that every request for a message makes.

import { Failure } from '../kernel/failure.ts';

/** A solution that must not work twice. The commit that does the work also marks it as spent. */
export type CaptchaSpend = { readonly id: string; readonly sweepAt: number };

export type Captcha = {
  /** Throws CAPTCHA_INVALID or CAPTCHA_UNAVAILABLE. Undefined if there is no solution to record. */
  check(token: string, ip: string): Promise<CaptchaSpend | undefined>;
  /** The challenge that our client solves; absent if the provider's widget handles it. */
  challenge?(): Promise<Record<string, unknown>>;
};

/** Runs before the limits of a recipient, so that a caller without a valid token learns nothing about recent messages. */
export async function passCaptcha(captcha: Captcha, token: string, ip: string): Promise<CaptchaSpend | undefined> {
  if (token === '') throw new Failure('CAPTCHA_REQUIRED');
  return captcha.check(token, ip);
}
