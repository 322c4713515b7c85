// The one client that a page speaks to the service with: the same that apps use, by cookie.
import { createGatehouse } from '../../client/src/create-gatehouse.ts';
import { tellCaptchaProgress } from './captcha-progress.ts';
import { solveElsewhere } from './captcha-provider.ts';
import { facts } from './facts.ts';

export const gatehouse = createGatehouse({
  mode: 'cookie',
  language: facts.language,
  captchaWorker: () => new Worker(facts.captchaWorker, { type: 'module' }),
  captcha: chooseCaptcha(),
  onCaptchaProgress: tellCaptchaProgress,
});

/** Undefined for the service's own, which the client solves by itself. */
function chooseCaptcha(): (() => Promise<string>) | undefined {
  if (facts.captcha.widget !== undefined) return solveElsewhere;
  return facts.captcha.provider === 'open' ? async () => 'open' : undefined;
}
