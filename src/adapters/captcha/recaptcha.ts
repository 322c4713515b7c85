// The captcha provider reCAPTCHA. Version 3 reports success for bots too, and adds a score.
import type { CaptchaProvider } from '../../abuse/captcha-provider.ts';
import { createSiteVerifyCaptcha, type SiteVerify, siteVerifyUrl } from './site-verify.ts';

export const recaptchaVerify: SiteVerify = {
  address: 'https://www.google.com/recaptcha/api/siteverify',
  fields: () => ({}),
  hasScore: true,
};

export const recaptcha = {
  schemes: ['recaptcha'],
  forms: ['recaptcha://…'],
  ...siteVerifyUrl,
  widget: {
    address: 'https://www.google.com/recaptcha/api.js?render=explicit',
    global: 'grecaptcha',
    sources: {
      script: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
      frame: ['https://www.google.com/recaptcha/'],
      connect: ['https://www.google.com/recaptcha/'],
    },
  },
  createCaptcha: async (url, parts) => createSiteVerifyCaptcha(recaptchaVerify, url, parts),
} as const satisfies CaptchaProvider;
