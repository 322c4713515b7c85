// Real files of every accepted kind, small enough to be sent thousands of times.
import { fixtures } from '../../../media/test/helpers/media-files.ts';
import { makeValidImages } from '../../../media/test/helpers/valid-images.ts';
import type { Sample } from './draft.ts';

const largestBytes = 20_000;

export async function readSamples(): Promise<Sample[]> {
  return [...fixtures(), ...(await makeValidImages())].filter(({ bytes }) => bytes.length <= largestBytes);
}
