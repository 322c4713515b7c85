// The HTML around every docs page: head, search, landmarks, the list of pages and the contents of the page.

import { brandPlaces } from '../../../src/http/pages/docs-brand.ts';
import { builtMarkup, html, type Markup, toText } from '../../../src/kernel/text/html.ts';
import type { Heading } from '../site-content.ts';
import { withOrigin } from './highlight.ts';
import type { NavGroup } from './site-nav.ts';

export type Page = {
  readonly title: string;
  /** The part of the site that the header marks. */
  readonly part: '/docs' | '/docs/api' | '/docs/errors';
  readonly nav: readonly NavGroup[];
  /** The contents of a long text, beside it. */
  readonly headings?: readonly Heading[];
  readonly main: Markup;
};

/** The service writes the name of its operator here. */
export const brandName = builtMarkup(brandPlaces.name);

export function renderPage({ title, part, nav, headings = [], main }: Page): string {
  return toText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${brandName}</title>
<link rel="icon" href="${builtMarkup(brandPlaces.icon)}">
<link rel="stylesheet" href="/docs/docs.css">
${builtMarkup(brandPlaces.style)}
<script type="module" src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/docs">${brandName} <span>Docs</span></a>
${searchBox}
<nav aria-label="Documentation">${parts.map(([href, label]) => partLink(href, label, href === part))}</nav>
</header>
<div class="layout${headings.length > 0 ? ' with-contents' : ''}">
<nav class="side" aria-label="Pages">
<details open>
<summary>All pages</summary>
${nav.map(navGroup)}
</details>
</nav>
<main id="main" tabindex="-1">
${main}
</main>
${headings.length > 0 ? contents(headings) : undefined}
</div>
</body>
</html>
`);
}

/** Hidden until the script has loaded, because the script searches. */
const searchBox = html`<div class="search" role="search" data-needs-script hidden>
<label class="visually-hidden" for="search">Search the documentation</label>
<input id="search" type="search" role="combobox" placeholder="Search" autocomplete="off" spellcheck="false" aria-autocomplete="list" aria-expanded="false" aria-controls="search-results" aria-keyshortcuts="/">
<kbd aria-hidden="true">/</kbd>
<div id="search-results" role="listbox" aria-label="Results" hidden></div>
<p class="visually-hidden" role="status" id="search-status"></p>
</div>`;

export function methodBadge(method: string): Markup {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** A long path may wrap after a slash. */
export function breakable(path: string): Markup[] {
  return path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`);
}

export function sample(title: string, code: string, language: string): Markup {
  return html`<figure class="sample">
<figcaption>${title} <button type="button" data-copy hidden>Copy</button></figcaption>
<pre tabindex="0"><code>${withOrigin(code, language)}</code></pre>
</figure>`;
}

const parts = [
  ['/docs', 'Guides'],
  ['/docs/api', 'API'],
  ['/docs/errors', 'Errors'],
  ['/', 'Sign in'],
] as const;

function partLink(href: string, label: string, isCurrent: boolean): Markup {
  return html`<a href="${href}"${isCurrent ? html` aria-current="true"` : undefined}>${label}</a>`;
}

function navGroup({ id, title, links }: NavGroup): Markup {
  const rows = links.map(
    ({ href, label, isCurrent, within = [] }) =>
      html`<li><a href="${href}"${isCurrent ? html` aria-current="page"` : undefined}>${label}</a>${
        within.length === 0
          ? undefined
          : html`<ul>${within.map((inner) => html`<li><a href="${inner.href}">${inner.label}</a></li>`)}</ul>`
      }</li>`,
  );
  return html`<p id="${id}">${title}</p>
<ul aria-labelledby="${id}">${rows}</ul>`;
}

function contents(headings: readonly Heading[]): Markup {
  const rows = headings.map(
    ({ id, title, depth }) => html`<li class="depth-${depth}"><a href="#${id}">${title}</a></li>`,
  );
  return html`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${rows}</ul></nav>`;
}
