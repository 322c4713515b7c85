// The captcha as a part: what a provider must be able to do, and when it is asked.

import { Failure } from '../kernel/failure.ts';

/** A solution that must not work twice: spent in the same commit as the work it admits. */
export type CaptchaSpend = { readonly id: string; readonly sweepAt: number };

export type Captcha = {
  /** Throws CAPTCHA_INVALID or CAPTCHA_UNAVAILABLE; undefined where nothing needs to be remembered. */
  check(token: string, ip: string): Promise<CaptchaSpend | undefined>;
  /** What a client solves; undefined where the provider's own widget does that. */
  challenge?(): Promise<Record<string, unknown>>;
};

/** Asked before the limits of a recipient: whoever brings no good token is told nothing else, not even who was just written to. */
export async function passCaptcha(captcha: Captcha, token: string, ip: string): Promise<CaptchaSpend | undefined> {
  if (token === '') throw new Failure('CAPTCHA_REQUIRED');
  return captcha.check(token, ip);
}
