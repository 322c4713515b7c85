// The list of languages. A new language needs a JSON file in this folder, an import, an entry in the list, and its name with its direction.
import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };
import uk from './uk.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };

/** English defines the keys. */
export type Texts = typeof en;

export const locales = haveKeysOfEnglish({ en, es, de, fr, pt, ru, tr, zh, ar, uk });

/** How each language names itself, and which way it is written. */
export const traits: Readonly<Record<keyof typeof locales, Traits>> = {
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
};

export type Direction = 'ltr' | 'rtl';

type Traits = { readonly name: string; readonly direction: Direction };

/** A key that English does not have becomes `never`. A missing key does not fit `Texts`. */
type Exactly<Given, Wanted> = {
  [Key in keyof Given]: Key extends keyof Wanted
    ? Given[Key] extends string
      ? Wanted[Key]
      : Exactly<Given[Key], Wanted[Key]>
    : never;
};

function haveKeysOfEnglish<Name extends string, Given extends Readonly<Record<Name, Texts>>>(
  given: Given & { readonly [Each in keyof Given]: Exactly<Given[Each], Texts> },
): Readonly<Record<keyof Given, Texts>> {
  return given;
}
