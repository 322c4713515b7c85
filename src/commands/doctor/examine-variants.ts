// The check of the doctor whether variants of pictures can be made: it starts the process that makes them.

import type { Config } from '../../config/config.ts';
import { probeVariants } from '../../service/probe-variants.ts';
import { bad, doubtful, type Finding, good } from './finding.ts';

export async function examineVariants(
  { files }: Pick<Config, 'files'>,
  probe: typeof probeVariants = probeVariants,
): Promise<Finding> {
  const hasVariants = files.purposes.some(({ variants = {} }) => Object.keys(variants).length > 0);
  if (!hasVariants) return good('variants', 'no purpose has variants of pictures');
  const ability = await probe();
  if (ability === undefined)
    return doubtful(
      'variants',
      'sharp is not installed, or not for this machine: ?variant= answers FILE_NOT_FOUND',
      'run npm ci without --omit=optional on this kind of machine, or remove the variants from the purposes',
    );
  if ('reason' in ability)
    return bad(
      'variants',
      `the process that loads sharp does not start (${ability.reason}): ?variant= answers SERVICE_UNAVAILABLE`,
      'run npm ci again: files of sharp or libvips are damaged, or this machine has too little memory for them',
    );
  return good('variants', `sharp ${ability.version} makes WebP and AVIF of ${ability.reads.join(', ')}`);
}
