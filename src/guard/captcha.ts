// The captcha as a part: what a provider must be able to do, and the order in which it is asked.

import { Failure } from '../kernel/failure.ts';

/** A solution that must not work twice: spent in the same commit as the work it admits. */
export type CaptchaSpend = { readonly id: string; readonly sweepAt: number };

export type Captcha = {
  /** True where a check asks another machine and burns the token there. */
  readonly isRemote: boolean;
  /** Throws CAPTCHA_INVALID or CAPTCHA_UNAVAILABLE; undefined where nothing needs to be remembered. */
  check(token: string, ip: string): Promise<CaptchaSpend | undefined>;
  /** What a client solves; undefined where the provider's own widget does that. */
  challenge?(): Promise<Record<string, unknown>>;
};

/**
 * Limits come before the captcha, so that a refused request burns no token. A local check burns nothing by itself, so there the
 * limits are asked early only to give the right answer for a bad token.
 */
export async function passCaptcha(
  captcha: Captcha,
  token: string,
  ip: string,
  askLimits: () => Promise<void>,
): Promise<CaptchaSpend | undefined> {
  if (captcha.isRemote || token === '') await askLimits();
  if (token === '') throw new Failure('CAPTCHA_REQUIRED');
  try {
    return await captcha.check(token, ip);
  } catch (refusal) {
    if (!captcha.isRemote) await askLimits();
    throw refusal;
  }
}
