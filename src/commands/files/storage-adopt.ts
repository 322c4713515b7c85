// The command `storage adopt`: declares that the configured database and storage belong together, after showing what they contain.
import { adoptStorage } from '../../files/storage/adopt-storage.ts';
import { judgeInstallation } from '../../files/storage/installation.ts';
import { readInstallationState } from '../../files/storage/settle-installation.ts';
import type { Command } from '../declarations.ts';
import { describePlaces } from '../write-mismatch.ts';

export const storageAdopt: Command<'storage adopt'> = async (context, { reason, yes }) => {
  const by = context.act(reason);
  const { files, installations, clock } = await context.open();
  const deps = { files, installations, clock, blobs: await context.blobs() };
  const facts = await readInstallationState(deps);
  if (judgeInstallation(facts) === 'same') {
    context.show({ installation: facts.database, isAdopted: false }, 'They already belong together.');
    return 0;
  }
  context.say(describePlaces(context.config(), facts));
  const { blobs, known } = facts.sample;
  await context.confirm(
    `After this, files in the storage that have no record in this database (${blobs - known} of ${blobs} in the sample) are removed after a day, and no other database may use the storage.`,
    yes,
  );
  const installation = await adoptStorage(deps, by);
  context.show(
    { installation, isAdopted: true, ...facts },
    `Both belong to ${installation} now. Start the service, then run gatehouse files check.`,
  );
  return 0;
};
