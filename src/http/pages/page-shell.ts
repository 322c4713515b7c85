// The HTML around a page: its files, its texts in the visitor's language, and the data that its script needs.
import { html, type Markup, toText } from '../../kernel/text/html.ts';
import { directionOf, type Language } from '../../kernel/text/language.ts';

export type PageFiles = {
  readonly script: string;
  readonly styles: readonly string[];
  /** Modules that the script imports. */
  readonly preload: readonly string[];
};

/** What the head of a page has of the operator's brand. */
export type BrandHead = {
  readonly name: string;
  /** The icon of the page, as a data URL. */
  readonly icon: string;
  /** The address of the style with the operator's colours. Undefined if there are none. */
  readonly style: string | undefined;
};

type Shell = {
  readonly language: Language;
  readonly title: string;
  readonly brand: BrandHead;
  readonly withoutScript: Markup;
  readonly files: PageFiles;
  /** Everything here is public: any visitor can read it. */
  readonly facts: Readonly<Record<string, unknown>>;
};

export function renderShell({ language, title, brand, withoutScript, files, facts }: Shell): string {
  return toText(html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title} · ${brand.name}</title>
<link rel="icon" href="${brand.icon}">
${files.styles.map((path) => html`<link rel="stylesheet" href="${path}">`)}
${brandStyle(brand)}
${files.preload.map((path) => html`<link rel="modulepreload" href="${path}">`)}
<script type="module" src="${files.script}"></script>
</head>
<body>
<div id="page"><noscript>${withoutScript}</noscript></div>
${dataBlock(facts)}
</body>
</html>
`);
}

/** After the styles of the page, so that its colours win. */
export function brandStyle({ style }: BrandHead): Markup | undefined {
  return style === undefined ? undefined : html`<link rel="stylesheet" href="${style}">`;
}

/** The browser does not execute this. Escaped as an attribute, the data cannot end the element early. */
function dataBlock(facts: Readonly<Record<string, unknown>>): Markup {
  return html`<meta id="facts" content="${JSON.stringify(facts)}">`;
}
