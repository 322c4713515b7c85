// Uploads every real file that this machine can fetch or make, and compares each refusal with the tools of others.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askTool } from './ask-tool.ts';
import { findChangedPictures, findPrivateTags } from './check-stored.ts';
import { type Accepted, examineFiles, type Refused } from './examine-files.ts';
import { gatherFiles } from './gather-files.ts';
import { type Judgement, judge } from './judge-refusal.ts';
import { makeFiles } from './made-files.ts';
import { eachOf, missingPrograms } from './run-tool.ts';
import { fetchPackages } from './source-packages.ts';

export type Survey = {
  readonly accepted: readonly Accepted[];
  readonly judgements: readonly Judgement[];
  readonly pixels: { readonly compared: number; readonly changed: string[] };
  readonly tags: { readonly looked: number; readonly left: string[] };
  /** What could not be fetched or made, in sentences. */
  readonly leftOut: readonly string[];
};

/** Programs, and the Debian packages that have them. */
const programs = {
  file: 'file',
  ffmpeg: 'ffmpeg',
  identify: 'imagemagick',
  convert: 'imagemagick',
  cjpeg: 'libjpeg-turbo-progs',
  exiftool: 'libimage-exiftool-perl',
  qpdf: 'qpdf',
  'heif-enc': 'libheif-examples',
  zip: 'zip',
  unzip: 'unzip',
  '7z': 'p7zip-full',
  python3: 'python3',
  iconv: 'libc-bin',
  xz: 'xz-utils',
  'apt-get': 'apt',
};

const cache = join(tmpdir(), 'gatehouse-real-files');
/** Of downloads. */
const mostBytes = Number(process.env.REAL_FILES_MEGABYTES ?? 200) * 1_000_000;
/** The types whose metadata is removed. */
const types = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/heic', 'image/heif']);

/** Returns a sentence if this machine lacks what the survey needs. */
export async function takeSurvey(): Promise<Survey | string> {
  const missing = [...new Set(missingPrograms(programs))];
  if (missing.length > 0) return `real files need ${missing.join(', ')}`;
  mkdirSync(cache, { recursive: true });
  const fetched = await fetchPackages(cache, mostBytes);
  if (typeof fetched === 'string') return `no real files: ${fetched}`;
  const { made, failed } = await makeFiles(cache);
  const files = await gatherFiles([...fetched.packages, ...made]);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-stored-'));
  try {
    const results = await examineFiles(files, folder);
    const accepted = results.filter((each): each is Accepted => each.kind === 'accepted');
    const refused = results.filter((each): each is Refused => each.kind === 'refused');
    return {
      accepted,
      judgements: await eachOf(refused, 2, async (each) =>
        judge(each, each.rule === undefined ? await askTool(each) : undefined),
      ),
      pixels: await findChangedPictures(accepted),
      tags: await findPrivateTags(accepted.filter(({ type }) => types.has(type))),
      leftOut: [...fetched.missing.map((name) => `${name}: not at the mirror`), ...failed],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
