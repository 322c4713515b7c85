// Composition: the captcha that CAPTCHA_URL names.

import type { Captcha } from '../abuse/captcha.ts';
import { createAltchaCaptcha } from '../adapters/captcha/altcha.ts';
import { createOpenCaptcha } from '../adapters/captcha/open.ts';
import { createSiteVerifyCaptcha } from '../adapters/captcha/site-verify.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ProviderUrl } from '../kernel/provider-url.ts';
import type { Secrets } from '../kernel/secrets.ts';

type Where = Pick<Config, 'mode' | 'publicUrl' | 'corsOrigins'>;

export function chooseCaptcha(
  url: ProviderUrl,
  where: Where,
  secrets: Secrets,
  clock: Clock,
  price: () => number,
): Captcha {
  if (url.scheme === 'open') return createOpenCaptcha();
  if (url.scheme === 'altcha') return createAltchaCaptcha({ secrets, clock, price });
  return createSiteVerifyCaptcha(url, ownHosts(where), { clock });
}

/** In local mode the providers' test keys are used, which name hosts of their own. */
function ownHosts({ mode, publicUrl, corsOrigins }: Where): string[] {
  return mode === 'local' ? [] : [publicUrl, ...corsOrigins].map((origin) => new URL(origin).hostname);
}
