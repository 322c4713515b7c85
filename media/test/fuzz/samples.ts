// Small real and broken files to start a search from. The only module of the fuzzer that knows where they come from.
import type { MediaType } from '../../src/media-type.ts';
import { fixtures, pictures } from '../helpers/media-files.ts';
import { makeValidImages } from '../helpers/valid-images.ts';
import { nestedJpeg } from '../helpers/worst-jpeg-files.ts';

type SampleFile = { readonly type: MediaType | undefined; readonly bytes: Buffer };

const largestBytes = 8_000;

/** Valid files of every type, and broken ones without a type. */
export async function readSampleFiles(): Promise<SampleFile[]> {
  const images = await makeValidImages();
  const nested = [1, 2].map((depth) => ({ type: undefined, bytes: nestedJpeg(depth) }));
  return [...images, ...pictures(), ...fixtures(), ...nested].filter(({ bytes }) => bytes.length <= largestBytes);
}
