// Serves the documentation that the build has written: guides, API reference and error catalogue. It loads nothing from other hosts.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { sha256 } from '../../kernel/crypto/digest.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Routes } from '../server/server.ts';
import { accepts } from './assets.ts';
import { fillBrand } from './docs-brand.ts';
import type { BrandHead } from './page-shell.ts';

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What a service may have, and its documentation then shows. */
export type DocsFeature = 'inbox' | 'scanner';

export type DocsFile = {
  readonly url: string;
  /** Its path in the folder of the documentation. */
  readonly name: string;
  readonly type: string;
  /** The service serves it instead of the usual file of this URL if it has this feature. */
  readonly feature?: DocsFeature;
};

export type DocsFiles = {
  readonly files: readonly DocsFile[];
  readonly read: (name: string) => Promise<Buffer>;
};

export type DocsParts = DocsFiles & {
  readonly brand: BrandHead;
  readonly has: Readonly<Record<DocsFeature, boolean>>;
};

export function registerDocsRoutes(server: Routes, { files, read, brand, has }: DocsParts): void {
  const usual = files.filter(({ feature }) => feature === undefined);
  const special = files.filter(({ feature }) => feature !== undefined && has[feature]);
  const chosen = new Map([...usual, ...special].map((file) => [file.url, file]));
  for (const { url, name, type } of chosen.values()) {
    const isPage = type.startsWith('text/html');
    const headers = { 'content-type': type, ...(isPage && { 'content-security-policy': pagePolicy }) };
    serve(server, url, headers, async () => {
      const content = await read(name).catch(unavailable);
      return isPage ? Buffer.from(fillBrand(content.toString(), brand)) : content;
    });
  }
}

/** The folder of the build may be gone or replaced while the service runs, or too many files are open. That is no fault of the program. */
function unavailable(cause: unknown): never {
  throw new Failure('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }, cause);
}

type Kept = { readonly body: Buffer; readonly zipped: Buffer; readonly etag: string };

/** Reads the content on the first request and keeps it, because it does not change while the service runs. */
function serve(
  server: Routes,
  url: string,
  headers: Readonly<Record<string, string>>,
  make: () => Promise<Buffer>,
): void {
  const get = once(() => make().then(keep));
  server.get(url, async (request, reply) => {
    const { body, zipped, etag } = await get();
    reply.headers({ ...headers, 'cache-control': 'no-cache', vary: 'Accept-Encoding', etag });
    if (request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).send();
    if (!accepts(request.headers['accept-encoding']?.toString() ?? '', 'gzip')) return reply.send(body);
    return reply.header('content-encoding', 'gzip').send(zipped);
  });
}

/** Keeps what was read. A failure, for example because too many files are open, is not kept: the next request tries again. */
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

async function keep(body: Buffer): Promise<Kept> {
  return { body, zipped: await promisify(gzip)(body, { level: 9 }), etag: `"${sha256(body)}"` };
}
