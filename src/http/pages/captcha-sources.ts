// Which other hosts a page must reach for the captcha that is configured: none for our own.

export type CaptchaChoice = {
  readonly provider: string;
  /** Public, as the provider gave it; only with a provider that has one. */
  readonly siteKey?: string;
};

export type CaptchaSources = {
  readonly script: readonly string[];
  readonly frame: readonly string[];
  readonly connect: readonly string[];
};

export const noSources: CaptchaSources = { script: [], frame: [], connect: [] };

const sources: Readonly<Record<string, CaptchaSources>> = {
  turnstile: {
    script: ['https://challenges.cloudflare.com'],
    frame: ['https://challenges.cloudflare.com'],
    connect: [],
  },
  hcaptcha: {
    script: ['https://js.hcaptcha.com', 'https://*.hcaptcha.com'],
    frame: ['https://*.hcaptcha.com'],
    connect: ['https://*.hcaptcha.com'],
  },
  recaptcha: {
    script: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
    frame: ['https://www.google.com/recaptcha/'],
    connect: ['https://www.google.com/recaptcha/'],
  },
};

export function captchaSources({ provider }: CaptchaChoice): CaptchaSources {
  return sources[provider] ?? noSources;
}
