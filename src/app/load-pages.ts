// Loads the built web pages and the built files of the API reference.
import { readFile } from 'node:fs/promises';
import type { DocsFiles } from '../http/docs/docs-routes.ts';
import type { PageAssets } from '../http/pages/page-routes.ts';
import { pagesFile } from '../kernel/program-files.ts';

export type BuiltFiles = PageAssets & { readonly docs: DocsFiles };

export async function loadPages(): Promise<BuiltFiles> {
  return JSON.parse(await readFile(pagesFile(), 'utf8')) as BuiltFiles;
}
