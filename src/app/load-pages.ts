// The web pages and the files of the API reference, as the build has made them.
import { readFile } from 'node:fs/promises';
import type { DocsFiles } from '../http/docs/docs-routes.ts';
import type { PageAssets } from '../http/pages/page-routes.ts';
import { pagesFile } from '../kernel/program-files.ts';

export type BuiltFiles = PageAssets & { readonly docs: DocsFiles };

export async function loadPages(): Promise<BuiltFiles> {
  return JSON.parse(await readFile(pagesFile(), 'utf8')) as BuiltFiles;
}
