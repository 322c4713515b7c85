// All pages of the documentation, with the list of pages beside each, and the index of its search.
import { paths } from '../../src/http/interface/paths.ts';
import type { PlainLine } from '../../src/http/interface/plain-line.ts';
import { documentedCodes } from '../../src/http/interface/possible-failures.ts';
import type { RouteLine } from '../../src/http/interface/route-line.ts';
import { builtMarkup, html } from '../../src/kernel/text/html.ts';
import type { Guides } from './guides/render-guides.ts';
import { type Page, renderPage } from './page/page.ts';
import { areaNames, areaUrl, createNav, type NavLink, topicUrl } from './page/site-nav.ts';
import { readInterface } from './reference/endpoints.ts';
import { errorsMain } from './reference/errors-page.ts';
import { areaMain, endpointLinks, overviewMain } from './reference/reference-page.ts';
import { schemasMain } from './reference/schemas-page.ts';
import { createSearchIndex } from './search-index.ts';
import { startMain } from './start-page.ts';

type SiteParts = {
  readonly table: readonly RouteLine[];
  readonly plainLines: readonly PlainLine[];
  readonly guides: Pick<Guides, 'groups' | 'pages' | 'sections'>;
};

/** The text of each URL. */
export function renderSite({ table, plainLines, guides }: SiteParts): ReadonlyMap<string, string> {
  const reference = readInterface(table, plainLines);
  const { tags, endpoints, schemas } = reference;
  const codes = documentedCodes(table);
  const hasInbox = table.some(({ path }) => path === paths.inbox);
  const titles = new Map(
    guides.groups.flatMap(({ topics }) => topics.map(({ slug, title }) => [slug, title] as const)),
  );
  const site = new Map<string, string>();
  const add = (url: string, page: Omit<Page, 'nav'>, within: readonly NavLink[] = []) => {
    if (site.has(url)) throw new Error(`Two documents have the URL ${url}. Rename one.`);
    site.set(url, renderPage({ ...page, nav: createNav(guides.groups, reference, url, within) }));
  };
  add('/docs', { title: 'Documentation', part: '/docs', main: startMain(guides.groups, reference) });
  add('/docs/errors', { title: 'Error catalogue', part: '/docs/errors', main: errorsMain(codes, endpoints) });
  add('/docs/api', { title: 'API reference', part: '/docs/api', main: overviewMain(reference, hasInbox) });
  add(
    '/docs/api/schemas',
    { title: 'Schemas', part: '/docs/api', main: schemasMain(schemas) },
    Object.keys(schemas).map((name) => ({ href: `#${name}`, label: html`${name}` })),
  );
  for (const tag of tags) {
    const page = { title: areaNames[tag.name], part: '/docs/api', main: areaMain(tag, endpoints) } as const;
    add(areaUrl(tag.name), page, endpointLinks(endpoints, tag.name));
  }
  for (const [slug, { html: text, headings }] of Object.entries(guides.pages)) {
    const main = html`<article class="topic prose">${builtMarkup(text)}</article>`;
    add(topicUrl(slug), { title: titles.get(slug) ?? slug, part: '/docs', headings, main });
  }
  site.set('/docs/search.json', JSON.stringify(createSearchIndex(reference, codes, guides.sections)));
  return site;
}
