// What the server told this page: brand, language, captcha, and its texts.

export type Facts<Texts> = {
  readonly brandName: string;
  readonly language: string;
  readonly captcha: { readonly provider: string; readonly siteKey?: string };
  readonly captchaWorker: string;
  readonly hasInbox: boolean;
  readonly resendAfterSeconds: { readonly sms: readonly number[]; readonly mail: readonly number[] };
  readonly texts: Texts;
};

const element = document.getElementById('facts');

export const facts = JSON.parse(element?.getAttribute('content') ?? '{}') as Facts<unknown>;

/** This page's texts; the page names the type that its own entry and `common` make. */
export function pageTexts<Texts>(): Texts {
  return facts.texts as Texts;
}

/** Puts values into a text: `{name}` becomes what stands under that name. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}
