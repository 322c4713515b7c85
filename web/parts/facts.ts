// The data that the server embeds in the page: brand, language, captcha and texts.

export type Facts<Texts> = {
  readonly brandName: string;
  readonly language: string;
  readonly captcha: {
    readonly provider: string;
    readonly siteKey?: string;
    /** For a captcha provider: the URL of its script, and the global variable that the script creates. */
    readonly widget?: { readonly address: string; readonly global: string };
  };
  readonly captchaWorker: string;
  readonly hasInbox: boolean;
  readonly resendAfterSeconds: { readonly sms: readonly number[]; readonly mail: readonly number[] };
  readonly texts: Texts;
};

const element = document.getElementById('facts');

export const facts = JSON.parse(element?.getAttribute('content') ?? '{}') as Facts<unknown>;

/** The texts of this page. The caller passes the type: its own section plus `common`. */
export function pageTexts<Texts>(): Texts {
  return facts.texts as Texts;
}

/** Replaces each `{name}` in a text by the value of that name. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}
