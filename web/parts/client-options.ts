// How the client of a page is set up: in cookie mode, with the captcha of the service.
import type { GatehouseOptions } from '../../client/src/create-core.ts';
import { reportCaptchaProgress } from './captcha-progress.ts';
import { solveWithWidget } from './captcha-provider.ts';
import { facts } from './page-data.ts';

export const clientOptions: GatehouseOptions = {
  mode: 'cookie',
  language: facts.language,
  captchaWorker: () => new Worker(facts.captchaWorker, { type: 'module' }),
  captcha: chooseCaptcha(),
  onCaptchaProgress: reportCaptchaProgress,
};

/** Returns undefined for the service's own captcha, which the client solves itself. */
function chooseCaptcha(): (() => Promise<string>) | undefined {
  if (facts.captcha.widget !== undefined) return solveWithWidget;
  return facts.captcha.provider === 'open' ? async () => 'open' : undefined;
}
