// A provider of captchas: the URL that names it, the captcha itself, and what a page needs to show its widget.
import type { Clock } from '../kernel/clock.ts';
import type { Provider } from '../kernel/provider.ts';
import type { ProviderUrl } from '../kernel/provider-url.ts';
import type { Secrets } from '../kernel/secrets.ts';
import type { Captcha } from './captcha.ts';

export type CaptchaParts = {
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Times the work of a quiet day. */
  readonly price: () => number;
  /** Where users may have solved it; empty where any host will do. */
  readonly hosts: readonly string[];
};

/** Other hosts that a page must reach, for its content security policy. */
export type CaptchaSources = {
  readonly script: readonly string[];
  readonly frame: readonly string[];
  readonly connect: readonly string[];
};

export type CaptchaWidget = {
  /** Address of the script that draws it. */
  readonly address: string;
  /** Where that script puts its functions: `window.turnstile`. */
  readonly global: string;
  readonly sources: CaptchaSources;
};

export type CaptchaProvider = Provider & {
  /** Undefined where our own client solves it. */
  readonly widget: CaptchaWidget | undefined;
  createCaptcha(url: ProviderUrl, parts: CaptchaParts): Promise<Captcha>;
};
