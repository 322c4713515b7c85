// The HTML around every docs page: head, landmarks, side navigation.
import { html, type Markup, toText } from '../../kernel/html.ts';
import { type BrandHead, brandStyle } from '../pages/page-shell.ts';

export type Page = {
  readonly title: string;
  readonly brand: BrandHead;
  readonly current: '/docs' | '/docs/errors';
  readonly contentsTitle: string;
  readonly contents: readonly ContentsGroup[];
  readonly main: Markup;
};

export type ContentsGroup = {
  readonly id: string;
  readonly title: string;
  readonly links: readonly { readonly href: string; readonly label: Markup }[];
};

export function renderPage({ title, brand, current, contentsTitle, contents, main }: Page): string {
  return toText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${brand.name}</title>
<link rel="icon" href="${brand.icon}">
<link rel="stylesheet" href="/docs/docs.css">
${brandStyle(brand)}
<script type="module" src="/docs/try.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/docs">${brand.name}</a>
<nav aria-label="Documentation">${pages.map(([href, label]) => pageLink(href, label, href === current))}</nav>
</header>
<div class="layout">
<nav class="side" aria-label="${contentsTitle}">
<details open>
<summary>${contentsTitle}</summary>
${contents.map(contentsGroup)}
</details>
</nav>
<main id="main" tabindex="-1">
${main}
</main>
</div>
</body>
</html>
`);
}

export function methodBadge(method: string): Markup {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** A long path may wrap after a slash. */
export function breakable(path: string): Markup[] {
  return path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`);
}

export function sample(title: string, content: Markup | string): Markup {
  return html`<figure class="sample">
<figcaption>${title} <button type="button" data-copy hidden>Copy</button></figcaption>
<pre><code>${content}</code></pre>
</figure>`;
}

const pages = [
  ['/docs', 'Reference'],
  ['/docs/errors', 'Errors'],
  ['/openapi.json', 'OpenAPI'],
  ['/', 'Sign in'],
] as const;

function pageLink(href: string, label: string, isCurrent: boolean): Markup {
  return html`<a href="${href}"${isCurrent ? html` aria-current="page"` : undefined}>${label}</a>`;
}

function contentsGroup({ id, title, links }: ContentsGroup): Markup {
  return html`<p id="${id}">${title}</p>
<ul aria-labelledby="${id}">${links.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`)}</ul>`;
}
