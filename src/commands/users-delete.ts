// The command `users delete`: removes a person with sessions, links and files; their number and address are free again.
import { findPerson } from '../auth/find-person.ts';
import { removePerson } from '../auth/remove-person.ts';
import type { Verb } from './desk.ts';
import { writePhone } from './write-text.ts';

export const usersDelete: Verb = async (desk, [who = '']) => {
  const by = desk.act();
  const counter = await desk.open();
  const person = await findPerson(counter, who);
  const { files } = await counter.files.usage(person.id);
  const named = `${person.id} (${writePhone(person.phone, false)})`;
  await desk.confirm(`This deletes ${named} and ${files} files for good.`);
  const blobs = await desk.blobs();
  const removeBlobs = async (ids: readonly string[]) => {
    // What stays behind has no record: the service sweeps it.
    for (const id of ids) await blobs.remove(id).catch(() => desk.say(`The bytes of ${id} will be swept later.`));
  };
  const gone = await removePerson({ ...counter, removeBlobs }, { userId: person.id, by });
  desk.show({ id: person.id, ...gone }, `${person.id} is deleted; files deleted: ${gone.deletedFiles}.`);
  return 0;
};
