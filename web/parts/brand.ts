// The operator's brand, as the pages show it.
import { facts } from './page-data.ts';

export const brand = facts.brand ?? {
  name: facts.brandName,
  logo: null,
  links: { terms: null, privacy: null, support: null },
};

/** Links for developers, such as the API reference, show only on the developer's own computer. */
export const isLocal: boolean = facts.isLocal ?? facts.hasInbox;

/** The support address as a link: a URL, or an e-mail address. */
export function supportUrl(): string | null {
  const { support } = brand.links;
  return support?.includes('@') && !support.includes(':') ? `mailto:${support}` : support;
}
