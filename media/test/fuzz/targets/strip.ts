// Targets: the removal of metadata from pictures in which a canary was planted.
import assert from 'node:assert/strict';
import type { LengthKind } from '../../../../test/fuzz/engine/lengths.ts';
import type { FuzzTarget } from '../../../../test/fuzz/engine/target.ts';
import type { MediaType } from '../../../src/media-type.ts';
import { proveMediaType } from '../../../src/prove-media-type.ts';
import { checkedFile } from './file-bytes.ts';
import { canary, plants } from './plant-canary.ts';
import { repairPng, repairRiff } from './repairs.ts';
import { checkStrip } from './strip-promises.ts';

type Format = Pick<FuzzTarget, 'lengthKinds' | 'repair'> & { readonly type: MediaType };

/** The first two bytes of an input say what is planted, and where. */
const headBytes = 2;

const riffLengths: LengthKind[] = [{ width: 4, isLittle: true, gap: 0, before: 4 }];
const afterHead = (repair: (file: Buffer) => Buffer) => (input: Buffer) =>
  Buffer.concat([input.subarray(0, headBytes), repair(input.subarray(headBytes))]);

const formats: Readonly<Record<keyof typeof plants, Format>> = {
  jpeg: { type: 'image/jpeg', lengthKinds: [{ width: 2, isLittle: false, gap: -2, before: 2 }] },
  png: {
    type: 'image/png',
    lengthKinds: [{ width: 4, isLittle: false, gap: 4, after: 4 }],
    repair: afterHead(repairPng),
  },
  webp: { type: 'image/webp', lengthKinds: riffLengths, repair: afterHead(repairRiff) },
};

export const targets: readonly FuzzTarget[] = (Object.keys(formats) as (keyof typeof formats)[]).map((name) => ({
  ...formats[name],
  name: `strip-${name}`,
  promise: 'nothing of a planted position is left, the picture is the same, and stripping again changes nothing',
  run: (input) => {
    const [kind = 0, place = 0] = input;
    const planted = plants[name](input.subarray(headBytes), kind, place);
    if (planted === undefined) return 'refused';
    const proof = proveMediaType(checkedFile(planted));
    if (proof?.kind !== 'proved' || proof.type !== formats[name].type) return 'refused';
    const stripped = checkStrip(planted, proof);
    if (stripped === undefined) return 'refused';
    // A change may have copied the canary into the picture itself.
    const wasThere = input.includes(canary);
    assert.ok(wasThere || !stripped.includes(canary), 'a planted position is left');
    return 'accepted';
  },
  seeds: async () => {
    const { readSampleFiles } = await import('../samples.ts');
    const files = (await readSampleFiles()).filter(({ type }) => type === formats[name].type);
    return files.flatMap(({ bytes }) =>
      Array.from({ length: 14 }, (_, kind) => Buffer.concat([Buffer.from([kind, kind % 5]), bytes])),
    );
  },
  longest: 6_000,
  mostWork: (size: number) => 200_000 + 200 * size,
}));
