// The command `users delete`: removes a person with sessions, links and files; their number and address are free again.

import { removeBlobs } from '../files/remove-blobs.ts';
import { findPerson } from '../support/find-one-user.ts';
import { removePerson } from '../support/remove-user.ts';
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
  const removeFiles = async (ids: readonly string[]) => {
    const left = await removeBlobs({ ...counter, blobs }, ids);
    if (left.length > 0) desk.say(`The storage is away: the service removes the bytes of ${left.length} files later.`);
  };
  const gone = await removePerson({ ...counter, removeBlobs: removeFiles }, { userId: person.id, by });
  desk.show({ id: person.id, ...gone }, `${person.id} is deleted; files deleted: ${gone.deletedFiles}.`);
  return 0;
};
