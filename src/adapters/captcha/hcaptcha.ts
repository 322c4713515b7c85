// The captcha provider hCaptcha.
import type { CaptchaProvider } from '../../abuse/captcha-provider.ts';
import { createSiteVerifyCaptcha, type SiteVerify, siteVerifyUrl } from './site-verify.ts';

export const hcaptchaVerify: SiteVerify = {
  address: 'https://api.hcaptcha.com/siteverify',
  fields: ({ id }) => ({ sitekey: id }),
  hasScore: false,
};

export const hcaptcha = {
  schemes: ['hcaptcha'],
  forms: ['hcaptcha://…'],
  ...siteVerifyUrl,
  widget: {
    address: 'https://js.hcaptcha.com/1/api.js?render=explicit',
    global: 'hcaptcha',
    sources: {
      script: ['https://js.hcaptcha.com', 'https://*.hcaptcha.com'],
      frame: ['https://*.hcaptcha.com'],
      connect: ['https://*.hcaptcha.com'],
    },
  },
  createCaptcha: async (url, parts) => createSiteVerifyCaptcha(hcaptchaVerify, url, parts),
} as const satisfies CaptchaProvider;
