// The pages' texts in every language.
import { de as deAdmin } from './admin/de.ts';
import { en as enAdmin } from './admin/en.ts';
import { es as esAdmin } from './admin/es.ts';
import { fr as frAdmin } from './admin/fr.ts';
import { pt as ptAdmin } from './admin/pt.ts';
import { ru as ruAdmin } from './admin/ru.ts';
import { tr as trAdmin } from './admin/tr.ts';
import { zh as zhAdmin } from './admin/zh.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import { tr } from './tr.ts';
import { zh } from './zh.ts';

export const texts = {
  en: { ...en, admin: enAdmin },
  es: { ...es, admin: esAdmin },
  de: { ...de, admin: deAdmin },
  fr: { ...fr, admin: frAdmin },
  pt: { ...pt, admin: ptAdmin },
  ru: { ...ru, admin: ruAdmin },
  tr: { ...tr, admin: trAdmin },
  zh: { ...zh, admin: zhAdmin },
};
