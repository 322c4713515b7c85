// The captcha provider Cloudflare Turnstile.
import { randomUUID } from 'node:crypto';
import type { CaptchaProvider } from '../../abuse/captcha-provider.ts';
import { createSiteVerifyCaptcha, type SiteVerify, siteVerifyUrl } from './site-verify.ts';

export const turnstileVerify: SiteVerify = {
  address: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  // Without this key, the provider refuses a retry as a duplicate.
  fields: () => ({ idempotency_key: randomUUID() }),
  hasScore: false,
};

export const turnstile = {
  schemes: ['turnstile'],
  forms: ['turnstile://SITEKEY:SECRET'],
  ...siteVerifyUrl,
  widget: {
    address: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    global: 'turnstile',
    sources: {
      script: ['https://challenges.cloudflare.com'],
      frame: ['https://challenges.cloudflare.com'],
      connect: [],
    },
  },
  createCaptcha: async (url, parts) => createSiteVerifyCaptcha(turnstileVerify, url, parts),
} as const satisfies CaptchaProvider;
