// Proves MP4 video and M4A audio: boxes that fill the file, one movie, and samples or fragments that lie inside it.
import { type ByteReader, corrupt, type Proof, proved } from '../media-type.ts';
import { type Box, walkBoxes } from './iso-boxes.ts';
import { fragmentDefect } from './mp4-fragment.ts';
import { type Movie, readMovie } from './mp4-movie.ts';
import { readAhead } from './read-ahead.ts';

// Padded to four characters, as they stand in the file.
const brands = new Set(
  'isom iso2 iso3 iso4 iso5 iso6 iso7 iso8 iso9 mp41 mp42 avc1 dash cmfc cmf2 M4A M4B M4P M4V M4VH M4VP F4V F4A'
    .split(' ')
    .map((brand) => brand.padEnd(4)),
);
// Pictures and phone formats that share the container but are types of their own.
const otherBrands = /^(?:avi[fos]|he[iv][cxms]|mi[fa][1f]|msf1|crx |jp[2xm] |mjp2|3g[2eghprs].|ccst)$/;
const maxFileTypeBytes = 1_024;

type TopBoxes = ReadonlyMap<string, readonly Box[]>;

export async function proveMp4(file: ByteReader): Promise<Proof | undefined> {
  const reader = readAhead(file);
  if (!(await hasOurBrand(reader))) return undefined;
  const boxes = await walkBoxes(reader, 0, file.size);
  if (boxes === undefined) return corrupt('video/mp4', 'boxes do not fill the file');
  const top = Map.groupBy(boxes, ({ type }) => type);
  const box = top.get('moov')?.[0];
  const defect = topDefect(top);
  if (box === undefined || defect !== undefined) return corrupt('video/mp4', defect ?? 'not one movie');
  const movie = await readMovie(reader, box);
  if (typeof movie === 'string') return corrupt('video/mp4', movie);
  const type = movie.hasVideo ? 'video/mp4' : 'audio/mp4';
  const problem = dataDefect(movie, top) ?? (await fragmentsDefect(reader, movie, top));
  return problem === undefined ? proved(type, movie.size) : corrupt(type, problem);
}

async function hasOurBrand(file: ByteReader): Promise<boolean> {
  const head = await file.read(0, maxFileTypeBytes);
  if (head.toString('latin1', 4, 8) !== 'ftyp') return false;
  const size = head.readUInt32BE(0);
  const list = head.toString('latin1', 8, Math.min(size, head.length)).match(/.{4}/gs) ?? [];
  const [major = '', , ...compatible] = list;
  return !otherBrands.test(major) && [major, ...compatible].some((brand) => brands.has(brand));
}

/** Boxes of unknown type pass: phones add their own. */
function topDefect(top: TopBoxes): string | undefined {
  if ([...top.keys()].some((type) => !/^[\x20-\x7e\xa9]{4}$/.test(type))) return 'a box without a name';
  if (top.get('moov')?.length !== 1) return 'not one movie';
  return top.get('ftyp')?.length === 1 ? undefined : 'not one file type';
}

function dataDefect(movie: Movie, top: TopBoxes): string | undefined {
  const data = top.get('mdat') ?? [];
  const start = data[0]?.start ?? 0;
  const end = data.at(-1)?.end ?? 0;
  const room = data.reduce((sum, box) => sum + box.end - box.start - box.headerSize, 0);
  if (movie.sampleBytes > room) return 'more samples than data';
  const isInside = movie.lastChunk < 0 || (movie.firstChunk >= start && movie.lastChunk < end);
  return isInside ? undefined : 'samples outside the data';
}

async function fragmentsDefect(file: ByteReader, movie: Movie, top: TopBoxes): Promise<string | undefined> {
  const fragments = top.get('moof') ?? [];
  if (fragments.length > 0 && !movie.isFragmented) return 'fragments that the movie does not announce';
  if (fragments.length === 0) return movie.lastChunk >= 0 ? undefined : 'no samples';
  for (const fragment of fragments) {
    const defect = await fragmentDefect(file, fragment, movie.tracks);
    if (defect !== undefined) return defect;
  }
  return top.has('mdat') ? undefined : 'fragments without data';
}
