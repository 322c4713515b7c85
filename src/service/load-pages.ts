// Loads the built web pages, and finds the files of the documentation.
import { readFile } from 'node:fs/promises';
import type { DocsFile, DocsFiles } from '../http/pages/docs-routes.ts';
import type { ElementFiles } from '../http/pages/element-routes.ts';
import type { PageAssets } from '../http/pages/page-routes.ts';
import { ProgramFileError, pagesFile } from '../kernel/process/program-files.ts';

export type BuiltFiles = PageAssets & {
  readonly element: ElementFiles;
  readonly problemStyle: string;
};

export function loadPages(): Promise<BuiltFiles> {
  return loadFile(pagesFile('pages.json'));
}

/** Their content is read when somebody asks for it. */
export async function loadDocs(): Promise<DocsFiles> {
  const folder = pagesFile('docs/');
  const files = await loadFile<readonly DocsFile[]>(new URL('files.json', folder));
  return { files, read: (name) => readFile(new URL(name, folder)) };
}

async function loadFile<T>(file: URL): Promise<T> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (cause) {
    const { message } = cause as Error;
    throw new ProgramFileError(`The build in dist/ is incomplete (${message}). Run npm run build.`, { cause });
  }
}
