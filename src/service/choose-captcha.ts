// Composition: creates the captcha that CAPTCHA_URL names.

import type { Captcha } from '../abuse/captcha.ts';
import type { CaptchaParts } from '../abuse/captcha-provider.ts';
import { findCaptchaProvider } from '../adapters/providers.ts';
import type { Config } from '../config/config.ts';

type Where = Pick<Config, 'captcha' | 'mode' | 'publicUrl' | 'corsOrigins'>;

export function chooseCaptcha(where: Where, parts: Omit<CaptchaParts, 'hosts'>): Promise<Captcha> {
  const { captcha } = where;
  return findCaptchaProvider(captcha.scheme).createCaptcha(captcha, { ...parts, hosts: ownHosts(where) });
}

/** Empty in local mode: the test keys of the providers report their own host names. */
export function ownHosts({ mode, publicUrl, corsOrigins }: Omit<Where, 'captcha'>): string[] {
  return mode === 'local' ? [] : [publicUrl, ...corsOrigins].map((origin) => new URL(origin).hostname);
}
