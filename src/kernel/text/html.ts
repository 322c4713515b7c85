// A template tag for HTML that escapes every value unless the value was created by the same tag.
const made = Symbol('markup');

/** Keyed by a symbol, so that external data cannot be mistaken for markup. */
export type Markup = { readonly [made]: string };

export type Value = string | number | undefined | Markup | readonly Value[];

export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return { [made]: parts.reduce((text, part, index) => text + render(values[index - 1]) + part) };
}

/** For a text of the build, such as a style sheet. Never for a text from outside. */
export function verbatim(text: string): Markup {
  return { [made]: text };
}

export function toText(markup: Markup): string {
  return markup[made];
}

function render(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value));
  return made in value ? value[made] : value.map(render).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** HTML that the build wrote from the documents of the project. Never for a text of a request or of a user. */
export function builtMarkup(text: string): Markup {
  return { [made]: text };
}
