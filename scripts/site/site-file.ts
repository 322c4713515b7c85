// A file of the documentation: its URL, its path in the folder of the build, and its content.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { DocsFeature, DocsFile } from '../../src/http/pages/docs-routes.ts';

export type SiteFile = DocsFile & { readonly content: string | Buffer };

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** The list of all others, which the service reads when it starts. */
const listName = 'files.json';

/** A URL without an ending is a page. */
export function toSiteFile(url: string, content: string | Buffer, feature?: DocsFeature): SiteFile {
  const path = url === '/docs' ? 'index' : url.slice('/docs/'.length);
  const ending = extname(path) || '.html';
  const stem = path.slice(0, path.length - extname(path).length);
  const name = `${stem}${feature === undefined ? '' : `.${feature}`}${ending}`;
  const type = types[ending];
  if (type === undefined) throw new Error(`${url} has an ending that scripts/site/site-file.ts does not know.`);
  return { url, name, type, ...(feature !== undefined && { feature }), content };
}

export function writeSite(folder: string, files: readonly SiteFile[]): void {
  const listed = files.map(({ content: _, ...file }) => file);
  for (const { name, content } of [...files, { name: listName, content: JSON.stringify(listed) }]) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    // Never over another file: two URLs would share it.
    writeFileSync(path, content, { flag: 'wx' });
  }
}
