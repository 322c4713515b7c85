// The command `storage adopt`: declares that the database and the storage of the settings belong together, after showing what they hold.
import { adoptStorage } from '../files/adopt-storage.ts';
import { judgeInstallation } from '../files/installation.ts';
import { gatherFacts } from '../files/settle-installation.ts';
import type { Verb } from './desk.ts';
import { describePlaces } from './write-mismatch.ts';

export const storageAdopt: Verb = async (desk) => {
  const by = desk.act();
  const { files, installations, clock } = await desk.open();
  const deps = { files, installations, clock, blobs: await desk.blobs() };
  const facts = await gatherFacts(deps);
  if (judgeInstallation(facts) === 'same') {
    desk.show({ installation: facts.database, isAdopted: false }, 'They belong together already.');
    return 0;
  }
  desk.say(describePlaces(desk.config(), facts));
  const { blobs, known } = facts.sample;
  await desk.confirm(
    `From then on the files there without a record in this database (${blobs - known} of ${blobs} looked at) are swept after a day, and no other database may use them.`,
  );
  const installation = await adoptStorage(deps, by);
  desk.show(
    { installation, isAdopted: true, ...facts },
    `Both are ${installation} now. Start the service, then run gatehouse files check.`,
  );
  return 0;
};
