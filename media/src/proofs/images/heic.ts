// Proves a still picture of HEIF: HEIC, which phones write in HEVC, or HEIF with another codec. A sequence of pictures is excluded.
import type { FileBytes, MediaType } from '../../media-type.ts';
import { corrupt, excluded, type Proof, proved } from '../../proof.ts';
import { type Brands, readBrands, readStill, readTopLevel } from './heif.ts';
import { codecs } from './heif-items.ts';

const heicBrands = ['heic', 'heix', 'heim', 'heis'];
const heifBrands = ['mif1', 'mif2'];
const sequenceBrands = ['hevc', 'hevx', 'hevm', 'hevs', 'msf1'];

type StillType = Extract<MediaType, 'image/heic' | 'image/heif'>;

const heifCodecs: Readonly<Record<StillType, readonly string[]>> = {
  'image/heic': ['hvc1', 'hev1', 'lhv1'],
  'image/heif': Object.keys(codecs),
};

export function proveHeic(file: FileBytes): Proof | undefined {
  const brands = readBrands(file);
  const type = brands && typeOf(brands);
  if (brands === undefined || type === undefined) return undefined;
  const boxes = readTopLevel(file);
  if (typeof boxes === 'string') return corrupt(type, boxes);
  // The major brand says what the file is. Tracks beside a still picture, such as a burst, are not stored.
  if (sequenceBrands.includes(brands.major)) return excluded(type, 'moving-picture');
  const still = readStill(file, boxes, heifCodecs[type]);
  return typeof still === 'string' ? corrupt(type, still) : proved(type, still.size);
}

function typeOf({ major, all }: Brands): StillType | undefined {
  if (['avif', 'avis'].some((brand) => all.has(brand))) return undefined;
  if (heicBrands.some((brand) => all.has(brand)) || ['hevc', 'hevx', 'hevm', 'hevs'].includes(major))
    return 'image/heic';
  return heifBrands.some((brand) => all.has(brand)) || major === 'msf1' ? 'image/heif' : undefined;
}
