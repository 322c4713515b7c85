// Fetches the test data of Debian source packages with the machine's own apt, without a change to the machine.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachOf, runTool } from './run-tool.ts';

/** In this order, as long as they fit: first the two with the most formats, then the small ones, then more of the same. */
const packages = [
  'libapache-poi-java',
  'pillow',
  'libimage-exiftool-perl',
  'jhead',
  'python-exif',
  'golang-github-rwcarlsen-goexif',
  'libexif',
  'libheif',
  'giflib',
  'libpng1.6',
  'libjpeg-turbo',
  'taglib',
  'mutagen',
  'eyed3',
  'audioread',
  'libsndfile',
  'qpdf',
  'exiv2',
  'opus-tools',
  'vorbis-tools',
  'python-docx',
  'openpyxl',
  'odfpy',
  'pikepdf',
  'libzip',
  'uchardet',
  'pdfminer',
  'libavif',
  'pypdf',
  'gdk-pixbuf',
  'libwebp',
  'golang-golang-x-image',
  'tracker-miners',
  'pandoc',
  'libcommons-compress-java',
  'pdf.js',
] as const;

/** The text of programs is no test data. */
const programText = [
  'java',
  'c',
  'cc',
  'cpp',
  'h',
  'hpp',
  'hs',
  'py',
  'pl',
  'pm',
  'js',
  'ts',
  'go',
  'po',
  'pod',
  'html',
  'xml',
];

export type SourcePackage = { readonly name: string; readonly folder: string };
type Archive = { readonly name: string; readonly file: string; readonly bytes: number };

type Fetched = { readonly packages: SourcePackage[]; readonly missing: string[] };

/**
 * Each package in a folder of its own under `cache`, which a second run finds again. Names the packages that the mirror does not
 * have. Returns a sentence if there is no apt, or no mirror.
 */
export async function fetchPackages(cache: string, mostBytes: number): Promise<Fetched | string> {
  const unpacked = join(cache, 'packages');
  mkdirSync(unpacked, { recursive: true });
  const apt = await preparePrivateApt(cache);
  if (apt === undefined) return 'there is no apt with a list of sources';
  const archives = await chooseArchives(apt, mostBytes);
  if (archives.length === 0) return 'the mirror of apt offers no source packages';
  const wanted = archives.filter(({ name }) => !existsSync(join(unpacked, name)));
  // A failure leaves out single packages.
  const downloads = join(cache, 'downloads');
  mkdirSync(downloads, { recursive: true });
  if (wanted.length > 0)
    await runTool(
      'apt-get',
      [...apt, '--quiet', 'source', '--download-only', '--tar-only', ...wanted.map(({ name }) => name)],
      { cwd: downloads, timeout: 120_000 },
    );
  for (const { name, file } of wanted) await unpack(join(downloads, file), join(unpacked, name));
  const found = archives.map(({ name }) => ({ name, folder: join(unpacked, name) }));
  return {
    packages: found.filter(({ folder }) => existsSync(folder)),
    missing: found.filter(({ folder }) => !existsSync(folder)).map(({ name }) => name),
  };
}

/** Options for an apt whose lists and sources are in the cache: the machine's mirrors, as sources of source packages. */
async function preparePrivateApt(cache: string): Promise<string[] | undefined> {
  const found = await runTool('apt-config', [
    'shell',
    'LIST',
    'Dir::Etc::sourcelist/f',
    'PARTS',
    'Dir::Etc::sourceparts/d',
  ]);
  if (found.code !== 0) return undefined;
  const [, list = '', folder = ''] = /^LIST='(.*)'\nPARTS='(.*)'$/m.exec(found.out.toString('utf8')) ?? [];
  const [lists, parts] = [join(cache, 'lists'), join(cache, 'sources.list.d')];
  mkdirSync(join(lists, 'partial'), { recursive: true });
  mkdirSync(parts, { recursive: true });
  if (copySources(list, folder, parts) === 0) return undefined;
  const options = [
    `Dir::Etc::SourceList=${join(cache, 'no-list')}`,
    `Dir::Etc::SourceParts=${parts}`,
    `Dir::State::Lists=${lists}`,
    `Dir::Cache=${cache}`,
    'APT::Sandbox::User=root',
    'Acquire::http::Timeout=10',
    'Acquire::Retries=1',
  ].flatMap((option) => ['-o', option]);
  // What the last run read is still right for the test.
  if (!readdirSync(lists).some((name) => /_Sources/.test(name)))
    await runTool('apt-get', [...options, 'update'], { timeout: 120_000 });
  return options;
}

function copySources(list: string, folder: string, parts: string): number {
  const names = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const all = [list, ...names].filter((path) => /\.(?:list|sources)$/.test(path) && existsSync(path));
  for (const [index, path] of all.entries()) {
    const text = readFileSync(path, 'utf8')
      .replace(/^Types:.*$/gm, 'Types: deb-src')
      .replace(/^deb(?:-src)?\s/gm, 'deb-src ');
    writeFileSync(join(parts, `${index}.${path.endsWith('.list') ? 'list' : 'sources'}`), text);
  }
  return all.length;
}

/** The archives of the authors, without those of Debian's changes. */
async function chooseArchives(apt: readonly string[], mostBytes: number): Promise<Archive[]> {
  const offered = await eachOf(packages, 2, async (name) => {
    const { out } = await runTool('apt-get', [...apt, '--print-uris', '--tar-only', 'source', name]);
    const [, file, bytes] = /^'\S+' (\S+\.orig\.tar\.(?:gz|xz|bz2)) (\d+) /m.exec(out.toString('utf8')) ?? [];
    return file === undefined ? [] : [{ name, file, bytes: Number(bytes) }];
  });
  let left = mostBytes;
  return offered.flat().filter(({ bytes }) => {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
}

/** The folder gets its name last, so that it is whole if it exists. */
async function unpack(archive: string, folder: string): Promise<void> {
  if (!existsSync(archive)) return;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial);
  const without = programText.map((ending) => `--exclude=*.${ending}`);
  const { code } = await runTool('tar', ['-xf', archive, '-C', partial, '--no-same-owner', ...without]);
  if (code === 0) renameSync(partial, folder);
  rmSync(archive);
}
