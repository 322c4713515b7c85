// How messages look: the colours, links and own texts that an operator gives to SMS and mails.
import type { Language } from '../../kernel/text/language.ts';
import { type MessageTexts, textsIn } from '../../kernel/text/texts.ts';

/** Addresses with https: or mailto:. Null: the operator names none. */
export type OperatorLinks = {
  readonly terms: string | null;
  readonly privacy: string | null;
  readonly support: string | null;
};

type Partly<T> = { readonly [Key in keyof T]?: T[Key] extends string ? string : Partly<T[Key]> };

/** Texts of the operator, by language. A text that is missing is the one of the product. */
export type OwnTexts = { readonly [Each in Language]?: Partly<MessageTexts> };

export type MessageLook = {
  /** For light mail clients: the colour of the name and of buttons, and of the text on it. `dark`: the name in dark ones. */
  readonly colours: { readonly accent: string; readonly onAccent: string; readonly dark: string };
  readonly links: OperatorLinks;
  readonly texts: OwnTexts;
};

export const noLinks: OperatorLinks = { terms: null, privacy: null, support: null };

export const usualLook: MessageLook = {
  colours: { accent: '#3346c8', onAccent: '#ffffff', dark: '#a3b4ff' },
  links: noLinks,
  texts: {},
};

/** The texts of SMS and mails in a language, those of the operator first. */
export function messageTextsIn(language: Language, own: OwnTexts): MessageTexts {
  const { sms, mail } = textsIn(language);
  return merge({ sms, mail }, own[language]);
}

/** Only strings of the operator count where the product has a string. */
function merge<T extends object>(usual: T, own: Partly<T> | undefined): T {
  if (own === undefined) return usual;
  const entries = Object.entries(usual).map(([key, text]) => {
    const other: unknown = Reflect.get(own, key);
    return [key, typeof text === 'string' ? (other ?? text) : merge(text, other as Partly<object> | undefined)];
  });
  return Object.fromEntries(entries) as T;
}
