// The list of all pages beside each page: guides by reader, then the areas of the API.

import type { RouteTag } from '../../../src/http/interface/route-line.ts';
import type { Markup } from '../../../src/kernel/text/html.ts';
import { html } from '../../../src/kernel/text/html.ts';
import type { Interface } from '../reference/endpoints.ts';
import type { TopicGroup } from '../site-content.ts';

export type NavLink = { readonly href: string; readonly label: Markup };
export type NavGroup = {
  readonly id: string;
  readonly title: string;
  readonly links: readonly (NavLink & { readonly isCurrent: boolean; readonly within?: readonly NavLink[] })[];
};

/** Short names, for the list of pages. */
export const areaNames: Readonly<Record<RouteTag, string>> = {
  auth: 'Signing in',
  file: 'Files',
  apps: 'OpenID Connect',
  'back-end': 'Back end',
  admin: 'Support staff',
  service: 'Health and documents',
};

export function areaUrl(tag: string): string {
  return `/docs/api/${tag}`;
}

/** The page of a topic: the error codes have one of their own. */
export function topicUrl(slug: string): string {
  return `/docs/${slug}`;
}

/** `within`: links below the current page. */
export function createNav(
  groups: readonly TopicGroup[],
  { tags }: Pick<Interface, 'tags'>,
  current: string,
  within: readonly NavLink[] = [],
): NavGroup[] {
  const link = (href: string, title: string) => {
    const isCurrent = href === current;
    return { href, label: html`${title}`, isCurrent, ...(isCurrent && { within }) };
  };
  const guides = groups.map(({ title, topics }, index) => ({
    id: `group-${index}`,
    title,
    links: topics.map((topic) => link(topicUrl(topic.slug), topic.title)),
  }));
  const api = {
    id: 'group-api',
    title: 'API reference',
    links: [
      link('/docs/api', 'Overview'),
      ...tags.map(({ name }) => link(areaUrl(name), areaNames[name])),
      link('/docs/api/schemas', 'Schemas'),
      link('/docs/errors', 'Error codes'),
    ],
  };
  return current.startsWith('/docs/api') ? [api, ...guides] : [...guides, api];
}
