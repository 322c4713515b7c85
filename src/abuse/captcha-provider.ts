// A captcha provider: its URL, its captcha, and what a page needs to show its widget.
import type { Clock } from '../kernel/clock.ts';
import type { Secrets } from '../kernel/crypto/secrets.ts';
import type { Provider } from '../kernel/net/provider.ts';
import type { ProviderUrl } from '../kernel/net/provider-url.ts';
import type { Captcha } from './captcha.ts';

export type CaptchaParts = {
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** A multiple of the base cost. */
  readonly price: () => number;
  /** Hosts on which users may solve it; empty if any host is allowed. */
  readonly hosts: readonly string[];
};

/** Other hosts that the content security policy of a page must allow. */
export type CaptchaSources = {
  readonly script: readonly string[];
  readonly frame: readonly string[];
  readonly connect: readonly string[];
};

export type CaptchaWidget = {
  /** URL of the script that draws it. */
  readonly address: string;
  /** Global variable that the script defines, for example `turnstile` for `window.turnstile`. */
  readonly global: string;
  readonly sources: CaptchaSources;
};

export type CaptchaProvider = Provider & {
  /** Undefined if our own client solves it. */
  readonly widget: CaptchaWidget | undefined;
  createCaptcha(url: ProviderUrl, parts: CaptchaParts): Promise<Captcha>;
};
