// Plurals in a page's texts: the one branch that fits the number, for pages that count. A part of ICU MessageFormat.

/** `{count, plural, one {# file} other {# files}}`: no `offset`, and nothing but text and # in a branch. */
const plural = /\{(\w+), plural, ((?:[^{}]+\{[^{}]*\})+)\}/g;
const branch = /([^{} ]+) \{([^{}]*)\}/g;

/** Other placeholders stay as they are. */
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
    return words.replaceAll('#', new Intl.NumberFormat(language).format(count));
  });
}
