// The list of languages, without their texts, which not every thread needs.

/** How each language names itself, and which way it is written. */
export const traits = {
  en: { name: 'English', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  pt: { name: 'Português', direction: 'ltr' },
  ru: { name: 'Русский', direction: 'ltr' },
  tr: { name: 'Türkçe', direction: 'ltr' },
  zh: { name: '简体中文', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
  uk: { name: 'Українська', direction: 'ltr' },
} as const satisfies Readonly<Record<string, Traits>>;

export type Direction = 'ltr' | 'rtl';

type Traits = { readonly name: string; readonly direction: Direction };
