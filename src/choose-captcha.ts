// Composition: the captcha that CAPTCHA_URL names.
import { createAltchaCaptcha } from './adapters/captcha/altcha.ts';
import { createOpenCaptcha } from './adapters/captcha/open.ts';
import { createSiteVerifyCaptcha } from './adapters/captcha/site-verify.ts';
import type { Captcha } from './guard/captcha.ts';
import type { Clock } from './kernel/clock.ts';
import type { ProviderUrl } from './kernel/provider-url.ts';
import type { Secrets } from './kernel/secrets.ts';

export function chooseCaptcha(url: ProviderUrl, secrets: Secrets, clock: Clock, price: () => number): Captcha {
  if (url.scheme === 'open') return createOpenCaptcha();
  return url.scheme === 'altcha'
    ? createAltchaCaptcha({ secrets, clock, price })
    : createSiteVerifyCaptcha(url, { clock });
}
