// The command `users unblock`: lets a person in again; the sessions that ended stay ended.
import { actOnPerson } from '../support/act-on-user.ts';
import { findPerson } from '../support/find-one-user.ts';
import type { Verb } from './desk.ts';

export const usersUnblock: Verb = async (desk, [who = '']) => {
  const by = desk.act();
  const counter = await desk.open();
  const person = await findPerson(counter, who);
  await actOnPerson(counter, { userId: person.id, act: 'unblock', by });
  desk.show({ id: person.id }, `${person.id} may sign in again.`);
  return 0;
};
