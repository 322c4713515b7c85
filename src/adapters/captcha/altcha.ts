// The provider `altcha:`, a self-hosted proof of work. It loads the library when it creates a captcha.
import type { CaptchaProvider } from '../../abuse/captcha-provider.ts';
import { isBare } from '../../kernel/net/provider.ts';

export const altcha = {
  schemes: ['altcha'],
  forms: ['altcha:'],
  parameters: [],
  bare: 'account',
  isLocalOnly: false,
  isComplete: isBare,
  plainHost: () => undefined,
  widget: undefined,
  createCaptcha: async (_, parts) => (await import('./altcha-captcha.ts')).createAltchaCaptcha(parts),
} as const satisfies CaptchaProvider;
