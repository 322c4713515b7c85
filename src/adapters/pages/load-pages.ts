// The built pages: from the cache when nothing they are made of has changed, else built anew.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256 } from '../../kernel/digest.ts';
import { newId } from '../../kernel/random.ts';
import type { BuiltPages } from './build-pages.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const sources = ['web', 'client/src', 'src/adapters/pages', 'package-lock.json'];
const cacheFolder = join(root, 'node_modules/.cache/gatehouse');

export async function loadPages(): Promise<BuiltPages> {
  const file = join(cacheFolder, `pages-${await fingerprint()}.json`);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined) return JSON.parse(kept) as BuiltPages;
  const { buildPages } = await import('./build-pages.ts');
  const built = await buildPages();
  // A cache only: where the folder cannot be written, the next start builds again.
  await keep(file, JSON.stringify(built)).catch(() => undefined);
  return built;
}

async function fingerprint(): Promise<string> {
  const files = (await Promise.all(sources.map(listFiles))).flat().sort();
  const contents = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
  return sha256(files.map((file, index) => `${file}\n${contents[index]}`).join('\n')).slice(0, 16);
}

async function listFiles(source: string): Promise<string[]> {
  if (source.endsWith('.json')) return [source];
  const names = await readdir(join(root, source), { recursive: true });
  return names.filter((name) => /\.(tsx?|css)$/.test(name)).map((name) => join(source, name));
}

/** In one step, because several processes may be at it. */
async function keep(file: string, text: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  const draft = `${file}.${newId()}`;
  await writeFile(draft, text);
  await rename(draft, file);
}
