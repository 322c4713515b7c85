// The texts of all languages. A new language needs a JSON file in this folder, an import and an entry here, and its line in traits.ts.
import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };
import type { traits } from './traits.ts';
import uk from './uk.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };

/** English defines the keys. */
export type Texts = typeof en;

export const locales = haveKeysOfEnglish({ en, es, de, fr, pt, ru, tr, zh, ar, uk });

/** A key that English does not have becomes `never`. A missing key does not fit `Texts`. */
type Exactly<Given, Wanted> = {
  [Key in keyof Given]: Key extends keyof Wanted
    ? Given[Key] extends string
      ? Wanted[Key]
      : Exactly<Given[Key], Wanted[Key]>
    : never;
};

type Name = keyof typeof traits;

function haveKeysOfEnglish<Given extends Readonly<Record<Name, Texts>>>(
  given: Given & { readonly [Each in keyof Given]: Each extends Name ? Exactly<Given[Each], Texts> : never },
): Readonly<Record<Name, Texts>> {
  return given;
}
