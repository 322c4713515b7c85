// Serves the documentation: guides, API reference and error catalogue. The pages load nothing from other hosts.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { topicUrl } from '../../../site/page/site-nav.ts';
import type { SiteContent, TopicGroup } from '../../../site/site-content.ts';
import { areasOf, createSite, type SiteParts } from '../../../site/site-pages.ts';
import { sha256 } from '../../kernel/crypto/digest.ts';
import type { Routes } from '../server/server.ts';
import { accepts } from './assets.ts';

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The files that the build creates from web/docs/, and the list of what it creates from the documents. */
export type DocsFiles = {
  readonly styles: string;
  readonly script: string;
  readonly groups: readonly TopicGroup[];
  readonly pictures: readonly string[];
};

type DocsParts = Omit<SiteParts, 'groups'> & {
  readonly files: DocsFiles;
  /** Reads what the build made of the documents. */
  readonly loadContent: () => Promise<SiteContent>;
};

type Make = (content: () => Promise<SiteContent>) => Promise<string | Buffer> | string;

export function registerDocsRoutes(server: Routes, { files, loadContent, ...parts }: DocsParts): void {
  const { groups, pictures, styles, script } = files;
  let made: ReturnType<typeof createSite> | undefined;
  // Describing every endpoint takes as long as a fifth of the start, and most processes never show it.
  const site = () => {
    made ??= createSite({ ...parts, groups });
    return made;
  };
  const content = once(loadContent);
  const page = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy };
  const add = (path: string, headers: Readonly<Record<string, string>>, make: Make) =>
    serve(server, path, headers, async () => make(content));
  add('/docs', page, () => site().start());
  add('/docs/errors', page, () => site().errors());
  add('/docs/api', page, () => site().overview());
  add('/docs/api/schemas', page, () => site().schemas());
  for (const area of areasOf(parts)) add(`/docs/api/${area}`, page, () => site().area(area));
  for (const { slug } of groups.flatMap(({ topics }) => topics)) {
    if (slug !== 'errors') add(topicUrl(slug), page, async (load) => site().topic(slug, (await load()).pages[slug]));
  }
  for (const name of pictures) {
    const type = name.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
    add(`/docs/pictures/${name}`, { 'content-type': type }, async (load) =>
      Buffer.from((await load()).pictures[name] ?? '', 'base64'),
    );
  }
  const json = { 'content-type': 'application/json; charset=utf-8' };
  add('/docs/search.json', json, async (load) => JSON.stringify(site().search((await load()).sections)));
  add('/docs/docs.css', { 'content-type': 'text/css; charset=utf-8' }, () => styles);
  add('/docs/docs.js', { 'content-type': 'text/javascript; charset=utf-8' }, () => script);
}

type Kept = { readonly body: Buffer; readonly zipped: Buffer; readonly etag: string };

/** Makes the content on the first request and keeps it, because it does not change while the service runs. */
function serve(
  server: Routes,
  path: string,
  headers: Readonly<Record<string, string>>,
  make: () => Promise<string | Buffer>,
): void {
  const get = once(() => make().then(keep));
  server.get(path, async (request, reply) => {
    const { body, zipped, etag } = await get();
    reply.headers({ ...headers, 'cache-control': 'no-cache', vary: 'Accept-Encoding', etag });
    if (request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).send();
    if (!accepts(request.headers['accept-encoding']?.toString() ?? '', 'gzip')) return reply.send(body);
    return reply.header('content-encoding', 'gzip').send(zipped);
  });
}

/** Keeps what was made. A failure, for example because too many files are open, is not kept: the next request tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    const made = kept ?? make();
    kept = made;
    made.catch(() => {
      if (kept === made) kept = undefined;
    });
    return made;
  };
}

async function keep(content: string | Buffer): Promise<Kept> {
  const body = Buffer.from(content);
  return { body, zipped: await promisify(gzip)(body, { level: 9 }), etag: `"${sha256(body)}"` };
}
