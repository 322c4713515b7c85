// What the element asks the service for when it appears: its texts in one language, and a few settings of the service.

export const textNames = [
  'title',
  'phoneLead',
  'phone',
  'sendCode',
  'useEmail',
  'codeTitle',
  'change',
  'code',
  'sentTo',
  'resend',
  'resendIn',
  'sentAgain',
  'emailTitle',
  'emailLead',
  'email',
  'sendLink',
  'usePhone',
  'mailedTitle',
  'mailedLead',
  'otherEmail',
  'recycledTitle',
  'recycledLead',
  'recycledMine',
  'recycledNew',
  'claimQuestion',
  'claimLead',
  'claimYes',
  'offline',
  'signIn',
  'cancel',
  'country',
  'phoneInvalid',
  'codeShort',
  'openInbox',
  'done',
] as const;

export type ElementTexts = Readonly<Record<(typeof textNames)[number], string>>;

export type ElementFacts = {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Local mode: messages are in the inbox of the service. */
  readonly hasInbox: boolean;
  /** Seconds to wait before each further message. */
  readonly resendAfterSeconds: { readonly sms: readonly number[]; readonly mail: readonly number[] };
  /** `DE49 0 48;IT39  37;…`: country, calling code, trunk prefix and groups of digits. */
  readonly countries: string;
  readonly texts: ElementTexts;
};

const loads = new Map<string, Promise<ElementFacts>>();

/** `languages`: as in an Accept-Language header. Elements of one page share the answer; a failure is not kept. */
export function loadFacts(base: string, languages: string): Promise<ElementFacts> {
  const key = `${base} ${languages}`;
  const load = loads.get(key) ?? ask(base, languages);
  loads.set(key, load);
  load.catch(() => loads.delete(key));
  return load;
}

async function ask(base: string, languages: string): Promise<ElementFacts> {
  const response = await fetch(`${base}/gatehouse-sign-in/texts.json`, {
    headers: { 'accept-language': languages },
    credentials: 'omit',
  });
  if (!response.ok) throw new Error(`The texts of the sign-in could not be loaded (${response.status}).`);
  return (await response.json()) as ElementFacts;
}

/** Replaces each placeholder, such as `{recipient}`. */
export function fill(text: string, name: string, value: string): string {
  return text.replaceAll(`{${name}}`, () => value);
}

/** `12 seconds`, `3 minutes`: rounded up, because waiting too short a time would fail. */
export function formatDuration(seconds: number, language: string): string {
  const [value, unit] =
    seconds < 60 ? [seconds, 'second'] : seconds < 3600 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.ceil(value));
}
