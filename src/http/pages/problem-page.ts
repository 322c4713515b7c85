// The page that a browser gets in place of an error in JSON. It needs no script, no store and no other file of the service.
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { usualAccent } from '../../brand/accent.ts';
import { type Brand, type ShownBrand, showBrand } from '../../brand/brand.ts';
import { writeBrandCss } from '../../brand/brand-css.ts';
import { html, type Markup, toText, verbatim } from '../../kernel/text/html.ts';
import { directionOf, type Language } from '../../kernel/text/language.ts';
import { textsIn } from '../../kernel/text/texts.ts';
import { markPath, writeIcon } from './icon.ts';
import { languageVary } from './page-language.ts';

export type Problem = {
  readonly status: number;
  /** The same as in the answer to a program. */
  readonly message: string;
  /** Of the message, if it is not the language of the page. */
  readonly messageLanguage?: Language;
};

type WrittenPage = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

export type ProblemPages = (language: Language, problem: Problem) => WrittenPage;

/** The answers with these statuses depend on it. */
export const problemVary = 'Sec-Fetch-Dest';

/** The statuses that a person can meet who opens an address, mistyped ones included. */
export function isShown(status: number): boolean {
  return [400, 401, 403, 404, 405, 410, 429].includes(status) || status >= 500;
}

/** Only a browser that opens an address in a tab sends this. Scripts, frames, pictures and programs do not. */
export function isNavigation(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-dest'] === 'document';
}

/** `built` is the built style sheet. The policy names the digest of the style, and nothing else may style the page. */
export function createProblemPages(brand: Brand, built: string): ProblemPages {
  const shown = showBrand(brand);
  const icon = writeIcon(shown.initial, (brand.accent ?? usualAccent).light);
  const style = brand.accent === null ? built : built + writeBrandCss(brand.accent);
  const headers = {
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'content-type': 'text/html; charset=utf-8',
    'x-robots-tag': 'noindex',
    vary: `${languageVary}, ${problemVary}`,
  };
  return (language, problem) => ({ headers, body: toText(render({ brand: shown, icon, style }, language, problem)) });
}

type Texts = ReturnType<typeof textsIn>['pages']['problem'];

function titleOf(texts: Texts, status: number): string {
  if (status === 400 || status === 405) return texts.notOpened;
  if (status === 401) return texts.signIn;
  if (status === 403) return texts.forbidden;
  if (status === 404) return texts.notFound;
  if (status === 410) return texts.gone;
  if (status === 429) return texts.tooMany;
  return status === 503 ? texts.unavailable : texts.fault;
}

type Look = { readonly brand: ShownBrand; readonly icon: string; readonly style: string };

function render({ brand, icon, style }: Look, language: Language, problem: Problem): Markup {
  const { problem: texts, common } = textsIn(language).pages;
  const { status, message, messageLanguage = language } = problem;
  const title = titleOf(texts, status);
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title} · ${brand.name}</title>
<link rel="icon" href="${icon}">
<style>${verbatim(style)}</style>
</head>
<body>
<div class="frame">
<header class="top"><a class="brand" href="/">${logoOf(brand)}</a></header>
<main id="main" class="narrow">
<div class="card problem">
<p class="status">${status}</p>
<h1>${title}</h1>
<p class="message" lang="${messageLanguage}">${message}</p>
${actionOf(status, texts, common)}
</div>
</main>
<footer class="foot">${footOf(brand, common)}</footer>
</div>
</body>
</html>
`;
}

/** An empty address is the one of this page, with its query. */
function actionOf(status: number, texts: Texts, { signIn }: { readonly signIn: string }): Markup {
  if (status === 401) return html`<a class="button" href="/">${signIn}</a>`;
  if (status === 429 || status >= 500) return html`<a class="button" href="">${texts.tryAgain}</a>`;
  return html`<a class="button" href="/">${texts.toStart}</a>`;
}

function logoOf({ name, logo, initial }: ShownBrand): Markup {
  if (logo === null && initial !== null) return html`<span class="initial" aria-hidden="true">${initial}</span>${name}`;
  if (logo === null)
    return html`<svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><path d="${markPath}"/></svg>${name}`;
  return html`<picture><source srcset="${logo.dark}" media="(prefers-color-scheme: dark)"><img class="logo" src="${logo.light}" alt="${name}"></picture>`;
}

function footOf({ name, links }: ShownBrand, texts: ReturnType<typeof textsIn>['pages']['common']): Markup | undefined {
  const shown = (['terms', 'privacy', 'support'] as const).flatMap((each) => {
    const href = links[each];
    return href === null ? [] : [html`<a href="${href}">${texts[each]}</a>`];
  });
  return shown.length === 0 ? undefined : html`<nav aria-label="${name}">${shown}</nav>`;
}
