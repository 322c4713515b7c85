// Chooses the plural branch that fits a number. It supports the part of ICU MessageFormat that pages need.

/** `{count, plural, one {# file} other {# files}}`: without `offset`, and with only text and # in a branch. */
const plural = /\{(\w+), plural, ((?:[^{}]+\{[^{}]*\})+)\}/g;
const branch = /([^{} ]+) \{([^{}]*)\}/g;

/** Leaves all other placeholders unchanged. */
export function choosePlural(
  text: string,
  values: Readonly<Record<string, string | number>>,
  language: string,
): string {
  return text.replaceAll(plural, (_, name: string, branches: string) => {
    const count = Number(values[name]);
    const texts = new Map([...branches.matchAll(branch)].map(([, label = '', words = '']) => [label, words]));
    const category = new Intl.PluralRules(language).select(count);
    const words = texts.get(`=${count}`) ?? texts.get(category) ?? texts.get('other') ?? '';
    return words.replaceAll('#', new Intl.NumberFormat(language, { numberingSystem: 'latn' }).format(count));
  });
}
