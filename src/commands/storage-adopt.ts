// The command `storage adopt`: declares that the database and the storage of the settings belong together, after showing what they hold.
import { adoptStorage } from '../files/adopt-storage.ts';
import { judgeInstallation } from '../files/installation.ts';
import { gatherFacts } from '../files/settle-installation.ts';
import type { Verb } from './operator-context.ts';
import { describePlaces } from './write-mismatch.ts';

export const storageAdopt: Verb = async (context) => {
  const by = context.act();
  const { files, installations, clock } = await context.open();
  const deps = { files, installations, clock, blobs: await context.blobs() };
  const facts = await gatherFacts(deps);
  if (judgeInstallation(facts) === 'same') {
    context.show({ installation: facts.database, isAdopted: false }, 'They belong together already.');
    return 0;
  }
  context.say(describePlaces(context.config(), facts));
  const { blobs, known } = facts.sample;
  await context.confirm(
    `From then on the files there without a record in this database (${blobs - known} of ${blobs} looked at) are swept after a day, and no other database may use them.`,
  );
  const installation = await adoptStorage(deps, by);
  context.show(
    { installation, isAdopted: true, ...facts },
    `Both are ${installation} now. Start the service, then run gatehouse files check.`,
  );
  return 0;
};
