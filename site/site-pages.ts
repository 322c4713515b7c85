// All pages of the documentation, with the list of pages beside each.

import { tagsOf } from '../src/http/interface/openapi.ts';
import { paths } from '../src/http/interface/paths.ts';
import type { PlainLine } from '../src/http/interface/plain-line.ts';
import { documentedCodes } from '../src/http/interface/possible-failures.ts';
import type { RouteLine, RouteTag } from '../src/http/interface/route-line.ts';
import type { BrandHead } from '../src/http/pages/page-shell.ts';
import { builtMarkup, html } from '../src/kernel/text/html.ts';
import { type Page, renderPage } from './page/page.ts';
import { areaNames, areaUrl, createNav, type NavLink, topicUrl } from './page/site-nav.ts';
import { readInterface } from './reference/endpoints.ts';
import { errorsMain } from './reference/errors-page.ts';
import { areaMain, endpointLinks, overviewMain } from './reference/reference-page.ts';
import { schemasMain } from './reference/schemas-page.ts';
import { createSearchIndex } from './search-index.ts';
import type { SearchEntry, TopicGroup, TopicPage } from './site-content.ts';
import { startMain } from './start-page.ts';

export type SiteParts = {
  readonly table: readonly RouteLine[];
  readonly plainLines: readonly PlainLine[];
  readonly brand: BrandHead;
  readonly groups: readonly TopicGroup[];
};

/** The areas of the API, which are known without the description of its endpoints. */
export function areasOf({ table, plainLines }: Pick<SiteParts, 'table' | 'plainLines'>): readonly RouteTag[] {
  return tagsOf([...table.filter(({ isHidden }) => isHidden !== true), ...plainLines]).map(({ name }) => name);
}

export function createSite({ table, plainLines, brand, groups }: SiteParts) {
  const reference = readInterface(table, plainLines);
  const { tags, endpoints, schemas } = reference;
  const codes = documentedCodes(table);
  const hasInbox = table.some(({ path }) => path === paths.inbox);
  const render = (url: string, page: Omit<Page, 'brand' | 'nav'>, within: readonly NavLink[] = []) =>
    renderPage({ ...page, brand, nav: createNav(groups, reference, url, within) });
  const titles = new Map(groups.flatMap(({ topics }) => topics.map(({ slug, title }) => [slug, title] as const)));
  return {
    start: () =>
      render('/docs', { title: 'Documentation', part: '/docs', main: startMain(brand.name, groups, reference) }),
    overview: () =>
      render('/docs/api', {
        title: 'API reference',
        part: '/docs/api',
        main: overviewMain(brand.name, reference, hasInbox),
      }),
    area: (name: string) => {
      const tag = tags.find((known) => known.name === name);
      if (tag === undefined) throw new Error(`there is no area ${name}`);
      const page = { title: areaNames[tag.name], part: '/docs/api', main: areaMain(tag, endpoints) } as const;
      return render(areaUrl(name), page, endpointLinks(endpoints, name));
    },
    schemas: () => {
      const within = Object.keys(schemas).map((name) => ({ href: `#${name}`, label: html`${name}` }));
      return render('/docs/api/schemas', { title: 'Schemas', part: '/docs/api', main: schemasMain(schemas) }, within);
    },
    errors: () =>
      render('/docs/errors', { title: 'Error catalogue', part: '/docs/errors', main: errorsMain(codes, endpoints) }),
    topic: (slug: string, page: TopicPage | undefined) => {
      const { html: text, headings } = page ?? { html: '', headings: [] };
      const main = html`<article class="topic prose">${builtMarkup(text)}</article>`;
      return render(topicUrl(slug), { title: titles.get(slug) ?? slug, part: '/docs', headings, main });
    },
    search: (sections: readonly SearchEntry[]) => createSearchIndex(reference, codes, sections),
  };
}
