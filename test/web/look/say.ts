// Finds the words of the pages in a language, so that the same steps work in every language.
import IntlMessageFormat from 'intl-messageformat';
import type { Language } from '../../../src/kernel/text/language.ts';
import { textsIn } from '../../../src/kernel/text/texts.ts';
import { writeWait } from '../../../src/kernel/work/write-wait.ts';

type Texts = ReturnType<typeof textsIn>;
type Values = Readonly<Record<string, string | number>>;

export type Say = {
  /** The text of a page: `sign-in.phone`. */
  readonly page: (path: string, values?: Values) => string;
  readonly failure: (code: keyof Texts['api']['failure'], values?: Values) => string;
};

export function sayIn(language: Language): Say {
  const { pages, api } = textsIn(language);
  return {
    page: (path, values) => {
      const found = path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], pages);
      if (typeof found !== 'string') throw new Error(`no text ${path}`);
      return format(found, language, values);
    },
    failure: (code, values) => format(api.failure[code], language, values),
  };
}

function format(text: string, language: Language, values: Values = {}): string {
  // The messages of failures have values that a request does not always have.
  const wait = writeWait(language, Number(values.retryAfterSeconds ?? 57));
  const all = { field: 'none', list: 'none', wait, left: 0, limit: '', requestId: '', ...values };
  return String(new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).format(all));
}
