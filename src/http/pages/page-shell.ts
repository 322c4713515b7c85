// The HTML around a page: its files, its texts in the visitor's language, and the data that its script needs.
import { html, type Markup, toText } from '../../kernel/html.ts';
import { directionOf, type Language } from '../../kernel/language.ts';
import { icon } from './icon.ts';

export type PageFiles = {
  readonly script: string;
  readonly styles: readonly string[];
  /** Modules that the script imports. */
  readonly preload: readonly string[];
};

export type Shell = {
  readonly language: Language;
  readonly title: string;
  /** The name of the operator's product. */
  readonly brandName: string;
  readonly withoutScript: Markup;
  readonly files: PageFiles;
  /** Everything here is public: any visitor can read it. */
  readonly facts: Readonly<Record<string, unknown>>;
};

export function renderShell({ language, title, brandName, withoutScript, files, facts }: Shell): string {
  return toText(html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title} · ${brandName}</title>
<link rel="icon" href="${icon}">
${files.styles.map((path) => html`<link rel="stylesheet" href="${path}">`)}
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

/** The browser does not execute this. Escaped as an attribute, the data cannot end the element early. */
function dataBlock(facts: Readonly<Record<string, unknown>>): Markup {
  return html`<meta id="facts" content="${JSON.stringify(facts)}">`;
}
