// Proves MP4 video, M4A audio and QuickTime: boxes fill the file, there is one movie, and its samples or fragments are inside the file.
import type { FileBytes, MediaType } from '../../media-type.ts';
import { corrupt, isObjection, type Proof, proved, refused } from '../../proof.ts';
import { type Box, walkBoxes } from '../iso-boxes.ts';
import { fragmentDefect } from './mp4-fragment.ts';
import { type Movie, readMovie } from './mp4-movie.ts';

// Padded to four characters, as in the file.
const brands = new Set(
  'isom iso2 iso3 iso4 iso5 iso6 iso7 iso8 iso9 mp41 mp42 avc1 dash cmfc cmf2 M4A M4B M4P M4V M4VH M4VP F4V F4A MSNV XAVC'
    .split(' ')
    .map((brand) => brand.padEnd(4)),
);
/** 3GP, which older phones record: the same container with fewer codecs. */
const phoneBrand = /^3g[2eghprs].$/;
const quickTime = 'qt  ';
// Picture formats that use the same container but are separate types.
const otherBrands = /^(?:avi[fos]|he[iv][cxms]|mi[fa][1f]|msf1|crx |jp[2xm] |mjp2|ccst)$/;
const maxFileTypeBytes = 1_024;
/** A long video with one fragment per frame has a tenth of this. */
const maxFragmentBoxes = 1_000_000;

type TopBoxes = ReadonlyMap<string, readonly Box[]>;

export function proveMp4(file: FileBytes): Proof | undefined {
  const branded = brandedType(file);
  if (branded === undefined) return undefined;
  const boxes = walkBoxes(file, 0, file.size);
  if (boxes === undefined) return corrupt(branded, 'boxes do not fill the file');
  const top = Map.groupBy(boxes, ({ type }) => type);
  const box = findMovie(top);
  if (typeof box === 'string') return corrupt(branded, box);
  const movie = readMovie(file, box);
  if (isObjection(movie)) return refused(branded, movie);
  const type = branded === 'video/mp4' && !movie.hasVideo ? 'audio/mp4' : branded;
  const problem = dataDefect(movie, top) ?? fragmentsDefect(file, movie, top);
  return problem === undefined ? proved(type, movie.size) : corrupt(type, problem);
}

function brandedType(file: FileBytes): MediaType | undefined {
  const head = file.read(0, maxFileTypeBytes);
  if (head.toString('latin1', 4, 8) !== 'ftyp') return undefined;
  const size = head.readUInt32BE(0);
  const text = head.toString('latin1', 8, Math.min(size, head.length));
  const list = [...text.matchAll(/.{4}/gs)].map(([brand]) => brand);
  const [major = ''] = list;
  if (otherBrands.test(major)) return undefined;
  // Phones of Apple name no other brand; converters name it last, for old programs.
  if (major === quickTime) return 'video/quicktime';
  // The second is the minor version.
  const isMp4 = list.some((brand, at) => at !== 1 && (brands.has(brand) || phoneBrand.test(brand)));
  return isMp4 ? 'video/mp4' : undefined;
}

/** The only movie. A string describes the defect. Accepts boxes of unknown types, because phones add their own. */
function findMovie(top: TopBoxes): Box | string {
  if ([...top.keys()].some((type) => !/^[\x20-\x7e\xa9]{4}$/.test(type))) return 'a box without a name';
  const [movie, ...others] = top.get('moov') ?? [];
  if (movie === undefined || others.length > 0) return 'not exactly one movie';
  return top.get('ftyp')?.length === 1 ? movie : 'not exactly one file type';
}

function dataDefect(movie: Movie, top: TopBoxes): string | undefined {
  const data = top.get('mdat') ?? [];
  const start = data[0]?.start ?? 0;
  const end = data.at(-1)?.end ?? 0;
  const dataBytes = data.reduce((sum, box) => sum + box.end - box.start - box.headerSize, 0);
  if (movie.sampleBytes > dataBytes) return 'more samples than data';
  const isInside = movie.firstChunk >= start && movie.lastChunk < end;
  return isInside ? undefined : 'samples outside the data';
}

function fragmentsDefect(file: FileBytes, movie: Movie, top: TopBoxes): string | undefined {
  const fragments = top.get('moof') ?? [];
  if (fragments.length > 0 && !movie.isFragmented) return 'fragments that the movie does not announce';
  if (fragments.length === 0) return movie.lastChunk === -1 ? 'no samples' : undefined;
  const budget = { boxes: maxFragmentBoxes, tracks: movie.tracks };
  for (const fragment of fragments) {
    const defect = fragmentDefect(file, fragment, budget);
    if (defect !== undefined) return defect;
  }
  return top.has('mdat') ? undefined : 'fragments without data';
}
