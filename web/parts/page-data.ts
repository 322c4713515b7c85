// The data that the server embeds in the page: brand, language, captcha and texts.
import type { Channel } from './channel.ts';

export type ShownApp = { readonly name: string; readonly logo: string | null; readonly isFirstParty: boolean };

/** The sign-in of an app. The page goes on by opening `continueUrl`: the service judges again. */
export type Authorization = {
  readonly ticket: string;
  readonly need: 'sign-in' | 'proof' | 'consent';
  readonly app: ShownApp;
  readonly scopes: readonly ('openid' | 'phone' | 'email' | 'offline_access' | 'files')[];
  /** A phone number or an e-mail address to begin with, as the app sent it. */
  readonly loginHint: string | null;
  readonly continueUrl: string;
  readonly cancelUrl: string;
};

type AppSignOut = {
  /** Null if the request names no app. */
  readonly app: ShownApp | null;
  readonly isSignedOut: boolean;
  /** A registered address of the app. Null if there is none to go to. */
  readonly continueUrl: string | null;
};

export type AppError = {
  readonly reason: 'unknown-app' | 'redirect-uri' | 'logout-uri' | 'request' | 'expired' | 'later';
  readonly appName: string | null;
  /** For developers, in English. With the reason “later” it is for the user, in the language of the page. */
  readonly description: string;
};

/** The file that a link opens. */
export type SharedFile = {
  readonly name: string | null;
  readonly size: number;
  readonly type: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** How many downloads are left. Null: any number. */
  readonly usesLeft: number | null;
  readonly downloadUrl: string;
  /** Of a picture, a sound or a video that the browser may show in place. Null if there is none, or if it would use the link up. */
  readonly previewUrl: string | null;
};

/** What the operator shows of itself. */
export type Brand = {
  readonly name: string;
  /** Addresses of this service. Null: the page shows a mark and the name. */
  readonly logo: { readonly light: string; readonly dark: string } | null;
  /** The mark of a brand without a logo. Null: no brand is set, so the mark is ours. */
  readonly initial: string | null;
  /** Addresses with https: or mailto:. Null: the operator names none. */
  readonly links: { readonly terms: string | null; readonly privacy: string | null; readonly support: string | null };
};

export type Facts<Texts> = {
  readonly brand: Brand;
  /** Local mode: links to the inbox and to the API reference are of use. */
  readonly isLocal: boolean;
  readonly language: string;
  /** Every language of the service: its code, and how it names itself. */
  readonly languages: readonly (readonly [code: string, name: string])[];
  readonly captcha: {
    readonly provider: string;
    readonly siteKey?: string;
    /** For a captcha provider: the URL of its script, and the global variable that the script creates. */
    readonly widget?: { readonly address: string; readonly global: string };
  };
  readonly captchaWorker: string;
  readonly hasInbox: boolean;
  readonly resendAfterSeconds: Readonly<Record<Channel, readonly number[]>>;
  readonly phoneRecoveryWaitSeconds: number;
  /** After so many wrong attempts a code is dead. */
  readonly codeAttempts: number;
  /** How long a deleted file can be restored. 0: there is no trash. */
  readonly trashSeconds: number;
  readonly texts: Texts;
  /** On the sign-in page at /oauth/authorize: the sign-in that an app asks for. */
  readonly authorization?: Authorization;
  readonly appSignOut?: AppSignOut;
  readonly appError?: AppError;
  /** On the page of a shared file. Null if the link does not work. */
  readonly sharedFile?: SharedFile | null;
};

const element = document.getElementById('facts');

export const facts = JSON.parse(element?.getAttribute('content') ?? '{}') as Facts<unknown>;

/** The texts of this page. The caller passes the type: its own section plus `common`. */
export function pageTexts<Texts>(): Texts {
  return facts.texts as Texts;
}

/** Replaces each `{name}` in a text by the value of that name. Numbers are written as in the language of the page. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return isolate(typeof value === 'number' ? value.toLocaleString(facts.language) : value);
  });
}

const isRightToLeft = document.documentElement.dir === 'rtl';

/** A name that is written in the other direction does not change the order of the words around it. */
export function isolate(value: string): string {
  return isRightToLeft || /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(value) ? `\u2068${value}\u2069` : value;
}
