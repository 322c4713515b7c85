// Loads the built web pages and the built files of the API reference.
import { readFile } from 'node:fs/promises';
import type { SiteContent } from '../../site/site-content.ts';
import type { DocsFiles } from '../http/pages/docs-routes.ts';
import type { ElementFiles } from '../http/pages/element-routes.ts';
import type { PageAssets } from '../http/pages/page-routes.ts';
import { ProgramFileError, pagesFile } from '../kernel/process/program-files.ts';

export type BuiltFiles = PageAssets & {
  readonly docs: DocsFiles;
  readonly element: ElementFiles;
  readonly problemStyle: string;
};

export function loadPages(): Promise<BuiltFiles> {
  return loadFile('pages.json');
}

/** The documents, which only readers of /docs need. */
export function loadDocs(): Promise<SiteContent> {
  return loadFile('docs.json');
}

async function loadFile<T>(name: 'pages.json' | 'docs.json'): Promise<T> {
  const file = pagesFile(name);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (cause) {
    const { message } = cause as Error;
    throw new ProgramFileError(`The build in dist/ is incomplete (${message}). Run npm run build.`, { cause });
  }
}
