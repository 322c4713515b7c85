// The captcha of local mode: any non-empty token passes, and there is nothing to solve or to remember.
import type { Captcha } from '../../abuse/captcha.ts';
import { Failure } from '../../kernel/failure.ts';

export function createOpenCaptcha(): Captcha {
  return {
    check: async (token) => {
      if (token === '') throw new Failure('CAPTCHA_INVALID');
      return undefined;
    },
  };
}
