// The captcha of local mode: accepts any non-empty token, and stores nothing.
import type { Captcha } from '../../abuse/captcha.ts';
import type { CaptchaProvider } from '../../abuse/captcha-provider.ts';
import { Failure } from '../../kernel/failure.ts';
import { isBare } from '../../kernel/net/provider.ts';

export const open = {
  schemes: ['open'],
  forms: ['open:'],
  parameters: [],
  bare: 'account',
  isLocalOnly: true,
  isComplete: isBare,
  plainHost: () => undefined,
  widget: undefined,
  createCaptcha: async () => createOpenCaptcha(),
} as const satisfies CaptchaProvider;

export function createOpenCaptcha(): Captcha {
  return {
    check: async (token) => {
      if (token === '') throw new Failure('CAPTCHA_INVALID');
      return undefined;
    },
  };
}
