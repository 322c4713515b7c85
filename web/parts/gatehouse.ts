// The client of the page: the same one that apps use, in cookie mode.
import { createGatehouse } from '../../client/src/create-gatehouse.ts';
import { reportCaptchaProgress } from './captcha-progress.ts';
import { solveWithWidget } from './captcha-provider.ts';
import { facts } from './facts.ts';

export const gatehouse = createGatehouse({
  mode: 'cookie',
  language: facts.language,
  captchaWorker: () => new Worker(facts.captchaWorker, { type: 'module' }),
  captcha: chooseCaptcha(),
  onCaptchaProgress: reportCaptchaProgress,
});

/** Returns undefined for the service's own captcha, which the client solves itself. */
function chooseCaptcha(): (() => Promise<string>) | undefined {
  if (facts.captcha.widget !== undefined) return solveWithWidget;
  return facts.captcha.provider === 'open' ? async () => 'open' : undefined;
}
