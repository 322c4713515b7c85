// Renders one document of the project as a page of the documentation: headings with anchors, links to other pages, code to copy.
import { Marked, type Token, type Tokens } from 'marked';
import { html, toText } from '../../../src/kernel/text/html.ts';
import { highlight } from '../page/highlight.ts';
import type { Heading, SearchEntry, TopicPage } from '../site-content.ts';

type RenderedDocument = TopicPage & {
  readonly title: string;
  readonly sections: readonly Section[];
};

/** The anchor is empty for the whole page. */
type Section = Omit<SearchEntry, 'url'> & { readonly anchor: string };

/** Where a link of a document leads on the site. Undefined: nowhere, because its target is only in the source tree. */
type FindAddress = (href: string) => string | undefined;

export function renderDocument(text: string, findAddress: FindAddress): RenderedDocument {
  const headings: Heading[] = [];
  const used = new Map<string, number>();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        const title = plain(inner);
        const id = anchorOf(title, used);
        headings.push({ id, title, depth });
        if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = findAddress(href);
        if (address === undefined) return `<span class="file">${inner}</span>`;
        return `${toText(html`<a href="${address}">`) + inner}</a>`;
      },
      image({ href, text: alt }) {
        return toText(html`<img src="${findAddress(href) ?? ''}" alt="${alt}" loading="lazy">`);
      },
      code({ text: code, lang = '' }) {
        const label = lang === '' ? 'Text' : lang;
        return `${toText(html`<figure class="sample"><figcaption>${names[label] ?? label} <button type="button" data-copy hidden>Copy</button></figcaption>
<pre tabindex="0"><code>${highlight(code, label)}</code></pre></figure>`)}\n`;
      },
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'td' | 'th') =>
          `<tr>${cells.map(({ tokens }) => `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const rows = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table" role="group" aria-label="Table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead>\n<tbody>${rows}</tbody></table></div>\n`;
      },
      // Our documents contain comments for other programs, and no other markup.
      html: ({ text: markup }) => (markup.trimStart().startsWith('<!--') ? '' : toText(html`${markup}`)),
    },
  });
  const tokens = marked.lexer(text);
  const page = marked.parser(tokens);
  const [first] = headings;
  const title = first?.title ?? '';
  return {
    title,
    html: page,
    headings: headings.filter(({ depth }) => depth === 2 || depth === 3),
    sections: sectionsOf(tokens, title),
  };
}

const names: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  js: 'JavaScript',
  json: 'JSON',
  py: 'Python',
  python: 'Python',
  yaml: 'YAML',
  html: 'HTML',
};

/** As GitHub derives it, so that the links of the documents work in both places. */
function anchorOf(title: string, used: Map<string, number>): string {
  const base = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  const count = used.get(base) ?? 0;
  used.set(base, count + 1);
  return count === 0 ? base : `${base}-${count}`;
}

function plain(markup: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '');
}

/** What the search finds: each heading with the words below it, once each. */
function sectionsOf(tokens: readonly Token[], title: string): Section[] {
  const used = new Map<string, number>();
  const sections: { title: string; anchor: string; words: string[] }[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const name = plain(token.text.replaceAll('`', '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
      sections.push({ title: name, anchor: anchorOf(name, used), words: [] });
    } else if (token.type !== 'html') sections.at(-1)?.words.push(token.raw);
  }
  return sections.map((section, index) => ({
    title: section.title,
    place: index === 0 ? 'Guide' : title,
    anchor: index === 0 ? '' : `#${section.anchor}`,
    text: wordsOf(section.words.join(' ')),
  }));
}

const commonWords = new Set(
  'a an and are as at be by can for from has have if in is it its no not of on or so that the then they this to was which who will with'.split(
    ' ',
  ),
);

function wordsOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_.-]{2,40}/gu) ?? [];
  return [...new Set(words.map((word) => word.replaceAll(/^[.-]+|[.-]+$/g, '')))]
    .filter((word) => word.length > 1 && !commonWords.has(word))
    .join(' ');
}
