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

/** Longer than any page takes, and short enough that a user is still there. */
const mostMilliseconds = 10_000;
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
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), mostMilliseconds);
  try {
    const response = await fetch(`${base}/gatehouse-sign-in/texts.json`, {
      headers: { 'accept-language': languages },
      credentials: 'omit',
      signal: timeout.signal,
    });
    const facts: unknown = response.ok ? await response.json() : undefined;
    if (!isFacts(facts)) throw new Error(`The texts of the sign-in could not be loaded (${response.status}).`);
    return facts;
  } finally {
    clearTimeout(timer);
  }
}

/** A proxy may answer with JSON of its own. A service of another version may lack a text. */
function isFacts(value: unknown): value is ElementFacts {
  return typeof value === 'object' && value !== null && 'texts' in value && 'countries' in value;
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
