// Broken requests by the thousand, all different, all repeatable: never a fault of ours, always the envelope, nothing that grows.
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { storeKinds } from '../support/gatehouse.ts';
import { type KeptRequest, openFuzzRig } from './fuzz/rig.ts';
import { readSamples } from './fuzz/samples.ts';
import { rounds, seed } from './rounds.ts';

/** The seed of a round is that of the one before it and one more. */
const requestsOfARound = 2500;

const kept = globSync('fuzz/kept/*.json', { cwd: import.meta.dirname }).map(
  (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as KeptRequest,
);

describe('a service under broken requests', { concurrency: true }, () => {
  for (const kind of storeKinds) {
    it(`answers each in the envelope and is as well afterwards, on ${kind}`, async (test) => {
      const rig = await openFuzzRig(kind, await readSamples());
      test.after(rig.dispose);
      await rig.replay(kept);
      for (let round = 0; round < rounds(1); round++) await rig.round(seed + round, requestsOfARound);
      test.diagnostic(`${kind}, seed ${seed}: ${await rig.finish()}`);
    });
  }
});
