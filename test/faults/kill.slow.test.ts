// kill -9 at random moments of a busy service: no acknowledged step is lost, and used codes and links stay used.
import { describe, it } from 'node:test';
import { rounds } from '../helpers/faults/rounds.ts';
import { storeKinds } from '../helpers/services/gatehouse.ts';
import { openCrashRig } from './rig/crash-rig.ts';

describe('kill -9 of a busy service', { concurrency: true }, () => {
  for (const kind of storeKinds) {
    it(`kill -9 of a busy service on ${kind} loses no acknowledged step and lets nothing be used twice`, async (test) => {
      const rig = await openCrashRig(kind);
      test.after(rig.dispose);
      for (let round = 0; round < rounds(4); round++) {
        await rig.strike(async (service) => void (await service.stop('SIGKILL')));
      }
      test.diagnostic(await rig.finish());
    });
  }
});
