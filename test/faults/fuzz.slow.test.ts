// Thousands of different, repeatable broken requests: never a server error, always the envelope, and no leak.
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type KeptRequest, openFuzzRig } from '../fuzz/http/rig.ts';
import { readSamples } from '../fuzz/http/samples.ts';
import { rounds, seed } from '../helpers/faults/rounds.ts';
import { storeKinds } from '../helpers/services/gatehouse.ts';

/** The seed of each round is one more than that of the round before it. */
const requestsOfARound = 2500;

const keptRequests = new URL('../fuzz/http/kept/', import.meta.url);
const kept = globSync('*.json', { cwd: keptRequests }).map(
  (file) => JSON.parse(readFileSync(new URL(file, keptRequests), 'utf8')) as KeptRequest,
);

describe('a service under broken requests', { concurrency: true }, () => {
  for (const kind of storeKinds) {
    it(`a service on ${kind} answers every broken request in the envelope and stays healthy`, async (test) => {
      const rig = await openFuzzRig(kind, await readSamples());
      test.after(rig.dispose);
      await rig.replay(kept);
      for (let round = 0; round < rounds(1); round++) await rig.round(seed + round, requestsOfARound);
      test.diagnostic(`${kind}, seed ${seed}: ${await rig.finish()}`);
    });
  }
});
