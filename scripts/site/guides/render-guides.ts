// Renders the documents of the project as the pages of /docs. The index of the documents says which there are, in groups.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lexer, type Token, type Tokens } from 'marked';
import { topicUrl } from '../page/site-nav.ts';
import type { SearchEntry, TopicGroup, TopicPage } from '../site-content.ts';
import { renderDocument } from './render-document.ts';

const index = 'docs/README.md';

/** Documents that have a page of another kind. */
const ownPages: Readonly<Record<string, string>> = { 'docs/README.md': '/docs', 'docs/errors.md': '/docs/errors' };

export type Guides = {
  readonly groups: readonly TopicGroup[];
  /** By slug. */
  readonly pages: Readonly<Record<string, TopicPage>>;
  /** Those that a page shows, by file name. */
  readonly pictures: ReadonlyMap<string, Buffer>;
  readonly sections: readonly SearchEntry[];
};

/** Without the documents, as in a copy of the sources alone, the site has the reference only. */
export function renderGuides(root: string): Guides {
  if (!existsSync(join(root, index))) return { groups: [], pages: {}, pictures: new Map(), sections: [] };
  const listed = readIndex(readFileSync(join(root, index), 'utf8'));
  const files = new Map(listed.flatMap(({ topics }) => topics.map(({ file, slug }) => [file, slug] as const)));
  const pictures = new Map<string, Buffer>();
  const keepPicture = (name: string) => pictures.set(name, readFileSync(join(root, 'docs/pictures', name)));
  const sections: SearchEntry[] = [];
  const pages: Record<string, TopicPage> = {};
  for (const [file, slug] of files) {
    if (file in ownPages) continue;
    const findAddress = (href: string) => addressOf(href, file, files, keepPicture);
    const document = renderDocument(readFileSync(join(root, file), 'utf8'), findAddress);
    pages[slug] = { html: document.html, headings: document.headings };
    for (const { anchor, ...section } of document.sections)
      sections.push({ ...section, url: `${topicUrl(slug)}${anchor}` });
  }
  const groups = listed.map(({ title, topics }) => ({ title, topics: topics.map(({ file: _, ...topic }) => topic) }));
  return { groups, pages, pictures, sections };
}

type Listed = {
  readonly title: string;
  readonly topics: { file: string; slug: string; title: string; lead: string }[];
};

/** A heading begins a group. An entry of a list is a page: its link, and a sentence about it. */
function readIndex(text: string): Listed[] {
  const groups: Listed[] = [];
  for (const token of new Lexer({ gfm: true }).lex(text)) {
    if (token.type === 'heading' && token.depth === 2) groups.push({ title: token.text, topics: [] });
    if (token.type !== 'list') continue;
    for (const item of (token as Tokens.List).items) {
      const link = linkIn(item.tokens);
      if (link === undefined) continue;
      const file = join('docs', link.href);
      const lead = item.text.slice(link.raw.length).replace(/^:\s*/, '');
      groups.at(-1)?.topics.push({
        file,
        slug: slugOf(file),
        title: link.text,
        lead: lead.charAt(0).toUpperCase() + lead.slice(1),
      });
    }
  }
  return groups;
}

function linkIn(tokens: readonly Token[]): Tokens.Link | undefined {
  for (const token of tokens) {
    if (token.type === 'link') return token as Tokens.Link;
    const inner = 'tokens' in token && token.tokens !== undefined ? linkIn(token.tokens) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** docs/apps.md is “apps”, docs/decisions/sign-in.md “decisions/sign-in”, and client/README.md “client”. */
function slugOf(file: string): string {
  return file.replace(/^docs\//, '').replace(/(?:\/README)?\.md$/, '');
}

function addressOf(
  href: string,
  from: string,
  files: ReadonlyMap<string, string>,
  keepPicture: (name: string) => void,
): string | undefined {
  if (/^(https?|mailto):/.test(href) || href.startsWith('#')) return href;
  const [path = '', anchor] = href.split('#');
  const target = join(from, '..', path);
  const fragment = anchor === undefined ? '' : `#${anchor}`;
  const picture = /^docs\/pictures\/([\w-]+\.(?:png|svg))$/.exec(target)?.[1];
  if (picture !== undefined) {
    keepPicture(picture);
    return `/docs/pictures/${picture}`;
  }
  const slug = files.get(target);
  const address = ownPages[target] ?? (slug === undefined ? undefined : topicUrl(slug));
  return address === undefined ? undefined : `${address}${fragment}`;
}
